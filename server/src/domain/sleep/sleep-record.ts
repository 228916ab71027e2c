// One device's record of a sleep, and the records that are of the same sleep.
import type { SleepSession } from '../records/records.ts';
import type { SessionCandidate } from '../sessions/sessions.ts';

export type SleepRecord = SessionCandidate<SleepSession>;

/** The shown record and its copies. */
export type SleepGroup<Record extends SleepRecord> = {
  readonly canonical: Record;
  readonly duplicates: readonly Record[];
};

export function joinGroup<Record extends SleepRecord>({ canonical, duplicates }: SleepGroup<Record>) {
  return { ...canonical, duplicates };
}
