// A batch as ingest takes it: in parts of bounded work, with everything done that needs no database. Pure; for large uploads it
// runs in a thread.
import { type PreparedSession, prepareSleep, prepareWorkout } from '../../store/session-store/index.ts';
import type { Batch } from './batch.ts';
import { splitBatch } from './split-batch.ts';

export type PreparedBatch = Omit<Batch, 'sleep' | 'workouts'> & {
  readonly sleep: readonly PreparedSession[];
  readonly workouts: readonly PreparedSession[];
};

/** Each part is prepared when it is asked for. */
export function* prepareBatch(batch: Batch): Generator<PreparedBatch> {
  for (const { sleep, workouts, ...part } of splitBatch(batch))
    yield { ...part, sleep: sleep.map(prepareSleep), workouts: workouts.map(prepareWorkout) };
}
