// One device's record of a sleep, and the records that are of the same sleep.
import type { SleepSession } from '../records/records.ts';
import type { SessionCandidate } from '../sessions/sessions.ts';

export type SleepRecord = SessionCandidate<SleepSession>;

/** The shown record and its copies. */
export type SleepGroup<Record extends SleepRecord> = { readonly shown: Record; readonly copies: readonly Record[] };

export function joinGroup<Record extends SleepRecord>({ shown, copies }: SleepGroup<Record>) {
  return { ...shown, copies };
}
