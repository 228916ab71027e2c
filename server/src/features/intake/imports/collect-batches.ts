// Reads a file to its end and makes the bodies of uploads of its records. Runs in a thread for large files (import-thread.ts).
import { createHash } from 'node:crypto';
import { createBatcher, type ImportBatch } from './batcher.ts';
import { ImportError, nothingImported } from './import-error.ts';
import type { FilePosition, ImportSink } from './import-sink.ts';
import type { OpenedImport } from './open-import.ts';

export type ReadState = {
  readonly records: number;
  /** By the reader of the format; the checks of the service reject others. */
  readonly rejected: number;
  readonly bytesRead: number;
  /** The rejected records since the last state. */
  readonly problems: readonly string[];
};

export type CollectedBatch = {
  readonly index: number;
  /** An SDK upload. */
  readonly json: Uint8Array<ArrayBuffer>;
  readonly sourceName: string;
  readonly positions: ImportBatch['positions'];
};

export type BatchConsumer = {
  /** Reading continues when the promise resolves. */
  onBatch(batch: CollectedBatch, state: ReadState): Promise<void>;
  onProgress(state: ReadState): void;
};

export type ReadResult = ReadState & {
  readonly batches: number;
  readonly sources: ReadonlySet<string>;
  readonly skipped: ReadonlyMap<string, number>;
  readonly failure: ImportError | null;
};

/** Batches of an earlier run are read over. */
export type ReadFrom = { readonly runId: string; readonly batches: number };

/** Of rejected records; the others are only counted. */
export const MAX_PROBLEMS = 50;
const MAX_SKIPPED_NAMES = 500;

export async function collectBatches(
  opened: Pick<OpenedImport, 'bytesRead' | 'read'>,
  from: ReadFrom,
  consumer: BatchConsumer,
): Promise<ReadResult> {
  const batcher = createBatcher();
  const counts = { records: 0, rejected: 0, batches: 0, noted: 0 };
  const skipped = new Map<string, number>();
  const sources = new Set<string>();
  let problems: string[] = [];
  const takeState = (): ReadState => {
    const { records, rejected } = counts;
    const state = { records, rejected, bytesRead: opened.bytesRead(), problems };
    problems = [];
    return state;
  };
  const deliver = async (batch: ImportBatch) => {
    const index = counts.batches;
    counts.batches += 1;
    sources.add(batch.source.name);
    if (index >= from.batches) await consumer.onBatch(packBatch(batch, from.runId, index), takeState());
  };
  const sink: ImportSink = {
    add(source, list, item, position) {
      counts.records += 1;
      batcher.add(source, list, item, position);
    },
    skip(what) {
      const name = skipped.size < MAX_SKIPPED_NAMES || skipped.has(what) ? what : 'others';
      skipped.set(name, (skipped.get(name) ?? 0) + 1);
    },
    reject(message, position) {
      counts.rejected += 1;
      if (counts.noted === MAX_PROBLEMS) return;
      counts.noted += 1;
      problems.push(`${describePosition(position)}: ${message}`);
    },
    isFull: batcher.hasFull,
    async drain() {
      for (const batch of batcher.take()) await deliver(batch);
      consumer.onProgress(takeState());
    },
  };
  let failure: ImportError | null = null;
  try {
    await opened.read(sink);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    failure = error;
  }
  if (failure === null && counts.records + counts.rejected + skipped.size === 0)
    failure = nothingImported('The file has no records.', 'Check that you exported the right data.');
  if (failure === null || failure.isPartial) for (const batch of batcher.finish()) await deliver(batch);
  return { ...takeState(), batches: counts.batches, sources, skipped, failure };
}

function packBatch({ source, items, positions }: ImportBatch, runId: string, index: number): CollectedBatch {
  const json = encoder.encode(JSON.stringify({ upload_id: nameBatch(runId, index), source, ...items }));
  return { index, json, sourceName: source.name, positions };
}

const encoder = new TextEncoder();

/** A UUID of the run and the batch: after a lost answer the service returns the stored one. */
function nameBatch(runId: string, index: number): string {
  const hex = createHash('sha256').update(`${runId} ${index}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function describePosition(position: FilePosition): string {
  return typeof position === 'number' ? `line ${position}` : position;
}
