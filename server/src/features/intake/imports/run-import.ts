// Runs an import: sends the batches of a file, and counts what became of its records. The position after each stored batch is
// recorded, so that an interrupted import continues there.
import type { UploadAnswer } from '../uploads/index.ts';
import { type CollectedBatch, describePosition, MAX_PROBLEMS } from './collect-batches.ts';
import type { ImportError } from './import-error.ts';
import type { ImportReader } from './import-reader.ts';
import type { FilePosition, ImportList } from './import-sink.ts';

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
  readonly read: ImportReader['read'];
  /** The body is JSON. */
  send(body: Uint8Array<ArrayBuffer>): Promise<UploadAnswer>;
  /** The position of an interrupted run; otherwise a new one. */
  readonly from: ImportPosition;
  readonly positions: Positions;
  onProgress(counts: ImportCounts, bytesRead: number): void;
};

export function startPosition(runId: string): ImportPosition {
  return { runId, counts: { records: 0, accepted: 0, duplicates: 0, rejected: 0, batches: 0 } };
}

export async function runImport({ read, send, from, positions, onProgress }: ImportRun): Promise<ImportSummary> {
  const { runId } = from;
  /** `rejected` by the service: what the reader rejects is found again when the file is read again. */
  const counts = { ...from.counts };
  const problems: string[] = [];
  const note = (found: readonly string[]) => problems.push(...found.slice(0, MAX_PROBLEMS - problems.length));
  const { records, rejected, batches, sources, skipped, failure, ...last } = await read(
    { runId, batches: from.counts.batches },
    {
      async onBatch(batch, state) {
        note(state.problems);
        const answer = await send(batch.json);
        batch.json.buffer.transfer(0); // frees it now: the process that sends makes too little garbage to collect it soon
        counts.accepted += answer.accepted;
        counts.duplicates += answer.duplicates;
        counts.rejected += answer.rejected_count;
        counts.batches = batch.index + 1;
        note(
          answer.rejected.map((reject) => `${describePosition(positionOf(batch, reject))}: ${describeReject(reject)}`),
        );
        positions.save({ runId, counts: { ...counts, records: state.records } });
        onProgress({ ...counts, records: state.records, rejected: counts.rejected + state.rejected }, state.bytesRead);
      },
      onProgress(state) {
        note(state.problems);
        onProgress({ ...counts, records: state.records, rejected: counts.rejected + state.rejected }, state.bytesRead);
      },
    },
  );
  note(last.problems);
  if (failure === null) positions.remove();
  return { ...counts, records, rejected: counts.rejected + rejected, batches, sources, skipped, problems, failure };
}

const PATH = /^(samples|daily|sleep|workouts)(?:\[(\d+)\])?/;

function positionOf({ positions, sourceName }: CollectedBatch, { path }: Reject): FilePosition {
  const [, list, index] = PATH.exec(path) ?? [];
  if (list === undefined || index === undefined) return sourceName;
  return positions[list as ImportList][Number(index)] ?? sourceName;
}

function describeReject({ path, message }: Reject): string {
  const field = path.replace(PATH, '').replace(/^\./, '');
  return field === '' ? message : `${field} ${message}`;
}
