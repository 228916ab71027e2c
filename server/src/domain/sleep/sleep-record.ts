// One device's record of a sleep, and the records of the same sleep.
import type { SleepSession } from '../records/records.ts';
import type { SessionCandidate } from '../sessions/sessions.ts';

export type SleepRecord = SessionCandidate<SleepSession>;

/** The canonical record and its duplicates. */
export type SleepGroup<Record extends SleepRecord> = {
  readonly canonical: Record;
  readonly duplicates: readonly Record[];
};

export function joinGroup<Record extends SleepRecord>({ canonical, duplicates }: SleepGroup<Record>) {
  return { ...canonical, duplicates };
}
