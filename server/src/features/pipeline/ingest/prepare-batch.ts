// Prepares a batch for ingest: splits it into parts of bounded work and does everything that needs no database. Pure; runs in a worker
// thread for large uploads.
import { type PreparedSession, prepareSleep, prepareWorkout } from '../../store/session-store/index.ts';
import type { Batch } from './batch.ts';
import { splitBatch } from './split-batch.ts';

export type PreparedBatch = Omit<Batch, 'sleep' | 'workouts'> & {
  readonly sleep: readonly PreparedSession[];
  readonly workouts: readonly PreparedSession[];
};

/** Prepares each part lazily. */
export function* prepareBatch(batch: Batch, partCost?: number): Generator<PreparedBatch> {
  for (const { sleep, workouts, ...part } of splitBatch(batch, partCost))
    yield { ...part, sleep: sleep.map(prepareSleep), workouts: workouts.map(prepareWorkout) };
}
