// Why a record of a sleep that has a value does not give it. The reasons follow from the same comparisons as the choice.

import type { MetricId } from '../metrics/index.ts';
import { overlapMs, SESSION_DETAILS } from '../records/session.ts';
import { MIN_COVERAGE } from './choose-sleeps.ts';
import { canStandIn, type SleepRecord } from './fill-sleep.ts';
import { findSleepDetail } from './sleep-detail.ts';
import { SLEEP_VITAL_FIELDS } from './sleep-vitals.ts';

export type UnusedReason = 're_export' | 'less_detail' | 'fragment' | 'outranked' | 'other_sleep';

/** The records of one sleep: the shown one and its copies. */
export type SleepGroup<Record extends SleepRecord> = { readonly shown: Record; readonly copies: readonly Record[] };

/** `winner`: the record of the same sleep that gives the value; null where none does. */
export function explainUnused<Record extends SleepRecord>(
  metric: MetricId,
  record: Record,
  { shown, winner, isReExport }: { shown: Record; winner: Record | null; isReExport: boolean },
): UnusedReason {
  const isVital = Object.hasOwn(SLEEP_VITAL_FIELDS, metric);
  if (record !== shown && !canStandIn(record, shown)) return 'fragment';
  if (winner === null) return record === shown || isVital ? 'other_sleep' : 'less_detail';
  if (isReExport) return 're_export';
  if (isFragment(record, winner)) return 'fragment';
  const levelOf = ({ session }: Record) => SESSION_DETAILS.indexOf(findSleepDetail(session));
  return !isVital && levelOf(record) > levelOf(winner) ? 'less_detail' : 'outranked';
}

function isFragment({ session }: SleepRecord, { session: whole }: SleepRecord): boolean {
  const wholeMs = whole.end - whole.start;
  return wholeMs > session.end - session.start && overlapMs(session, whole) < MIN_COVERAGE * wholeMs;
}
