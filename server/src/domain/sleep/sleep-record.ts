// One device's record of a sleep, and the records of the same sleep.
import type { SleepSession } from '../records/records.ts';
import { type ConsolidatedRecord, isCanonical, type SessionCandidate } from '../sessions/sessions.ts';

export type SleepRecord = SessionCandidate<SleepSession>;

/** The canonical record and its duplicates. */
export type SleepGroup<Record extends SleepRecord> = {
  readonly canonical: Record;
  readonly duplicates: readonly Record[];
};

export function joinGroup<Record extends SleepRecord>({ canonical, duplicates }: SleepGroup<Record>) {
  return { ...canonical, duplicates };
}

/** The canonical ones of these records, each with its duplicates among `all`. */
export function groupDuplicates<Record extends SleepRecord & ConsolidatedRecord>(
  records: readonly Record[],
  all: readonly Record[] = records,
): SleepGroup<Record>[] {
  const duplicates = Map.groupBy(all, ({ duplicateOf }) => duplicateOf);
  return records
    .filter(isCanonical)
    .map((canonical) => ({ canonical, duplicates: duplicates.get(canonical.id) ?? [] }));
}
