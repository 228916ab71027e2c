// Runs an import: reads the file, sends its records in batches, and counts what became of them. The position after each
// stored batch is recorded, so that an interrupted import continues there.
import { createHash } from 'node:crypto';
import type { UploadAnswer } from '../uploads/index.ts';
import { createBatcher, type ImportBatch } from './batcher.ts';
import { ImportError } from './import-error.ts';
import type { ImportList, ImportSink, Place } from './import-sink.ts';

type Reject = UploadAnswer['rejected'][number];

type ImportCounts = {
  /** Records that were read, also those that an earlier run stored. */
  records: number;
  accepted: number;
  duplicates: number;
  rejected: number;
  batches: number;
};

export type ImportPosition = { readonly runId: string; readonly counts: ImportCounts };

export type Positions = { save(position: ImportPosition): void; remove(): void };

export type ImportSummary = ImportCounts & {
  readonly sources: ReadonlySet<string>;
  /** What the catalog has no metric for, by its name in the file. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Workouts whose route or laps the account does not keep. */
  readonly routesNotKept?: number;
  /** The first rejected records. */
  readonly problems: readonly string[];
  /** Why the file could not be read to its end. */
  readonly failure: ImportError | null;
};

type ImportRun = {
  /** Hands every record of the file to the sink. */
  read(sink: ImportSink): Promise<void>;
  send(body: object): Promise<UploadAnswer>;
  /** The position of an interrupted run; otherwise a new one. */
  readonly from: ImportPosition;
  readonly positions: Positions;
  onProgress(counts: ImportCounts): void;
};

const MAX_PROBLEMS = 50;
const MAX_SKIPPED_NAMES = 500;

export function startPosition(runId: string): ImportPosition {
  return { runId, counts: { records: 0, accepted: 0, duplicates: 0, rejected: 0, batches: 0 } };
}

export async function runImport({ read, send, from, positions, onProgress }: ImportRun): Promise<ImportSummary> {
  const batcher = createBatcher();
  const { runId } = from;
  const counts = { ...from.counts, records: 0, rejected: 0, batches: 0 };
  const skipped = new Map<string, number>();
  const problems: string[] = [];
  const sources = new Set<string>();
  const note = (place: Place, message: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push(`${describePlace(place)}: ${message}`);
  };

  const deliver = async (batch: ImportBatch) => {
    const index = counts.batches;
    counts.batches += 1;
    sources.add(batch.source.name);
    if (index < from.counts.batches) return;
    const answer = await send({ upload_id: nameBatch(runId, index), source: batch.source, ...batch.items });
    counts.accepted += answer.accepted;
    counts.duplicates += answer.duplicates;
    counts.rejected += answer.rejected_count;
    for (const reject of answer.rejected) note(placeOf(batch, reject), describeReject(reject));
    positions.save({ runId, counts: { ...counts } });
    onProgress(counts);
  };
  const sink: ImportSink = {
    add(source, list, item, place) {
      counts.records += 1;
      batcher.add(source, list, item, place);
    },
    skip(what) {
      const name = skipped.size < MAX_SKIPPED_NAMES || skipped.has(what) ? what : 'others';
      skipped.set(name, (skipped.get(name) ?? 0) + 1);
    },
    reject(message, place) {
      counts.rejected += 1;
      note(place, message);
    },
    isFull: batcher.hasFull,
    async drain() {
      for (const batch of batcher.take()) await deliver(batch);
      onProgress(counts);
    },
  };

  let failure: ImportError | null = null;
  try {
    await read(sink);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    failure = error;
  }
  if (failure === null || failure.isPartial) for (const batch of batcher.finish()) await deliver(batch);
  if (failure === null) positions.remove();
  return { ...counts, sources, skipped, problems, failure };
}

/** A UUID of the run and the batch: after a lost answer the service returns the stored one. */
function nameBatch(runId: string, index: number): string {
  const hex = createHash('sha256').update(`${runId} ${index}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const PATH = /^(samples|daily|sleep|workouts)(?:\[(\d+)\])?/;

function placeOf({ places, source }: ImportBatch, { path }: Reject): Place {
  const [, list, index] = PATH.exec(path) ?? [];
  if (list === undefined || index === undefined) return source.name;
  return places[list as ImportList][Number(index)] ?? source.name;
}

function describeReject({ path, message }: Reject): string {
  const field = path.replace(PATH, '').replace(/^\./, '');
  return field === '' ? message : `${field} ${message}`;
}

function describePlace(place: Place): string {
  return typeof place === 'number' ? `line ${place}` : place;
}
