// Why a record of a sleep does not provide the value. The reasons follow from the same comparisons as the
// consolidation.

import type { MetricId } from '../metrics/index.ts';
import { overlapMs, SESSION_DETAILS, type Session } from '../records/session.ts';
import { MIN_FRAGMENT_COVERAGE } from './consolidate-sleeps.ts';
import { canStandIn, clip } from './fill-sleep.ts';
import { coversSleep } from './fill-totals.ts';
import { findSleepDetail } from './sleep-detail.ts';
import type { SleepRecord } from './sleep-record.ts';
import { SLEEP_VITAL_FIELDS } from './sleep-vitals.ts';

export type UnusedReason =
  | 're_export'
  | 'less_detail'
  | 'fragment'
  | 'outranked'
  | 'contradiction'
  | 'other_part'
  | 'other_sleep';

type SleepContext<Record extends SleepRecord> = {
  readonly canonical: Record;
  /** The record that provides the value for this sleep; null if none does. */
  readonly winner: Record | null;
  readonly isReExport: boolean;
  /** Whether the sleep is part of the night, and whether the metric describes this part of it. */
  readonly isOfNight: boolean;
  readonly isDescribed: boolean;
  /** Whether the night has several parts; then only the time of the part is compared. */
  readonly isPart: boolean;
};

/** Totals that a duplicate provides if the canonical record has none. */
const FILLED = new Set([
  'asleep',
  'time_in_bed',
  'time_awake',
  'sleep_latency',
  'wake_after_sleep_onset',
  'awakenings',
]);

export function explainUnused<Record extends SleepRecord>(
  metric: MetricId,
  record: Record,
  { canonical, winner, isReExport, isOfNight, isDescribed, isPart }: SleepContext<Record>,
): UnusedReason {
  const isVital = Object.hasOwn(SLEEP_VITAL_FIELDS, metric);
  if (record !== canonical && !canStandIn(record, canonical)) return 'fragment';
  if (!isDescribed) return isOfNight ? 'other_part' : 'other_sleep';
  if (winner === null) {
    if (record === canonical || isVital || !isOfNight) return isOfNight ? 'other_part' : 'other_sleep';
    if (!FILLED.has(metric)) return 'less_detail';
    return coversSleep(record, canonical) ? 'contradiction' : 'fragment';
  }
  if (isReExport) return 're_export';
  const ofPart = ({ session }: Record) => (isPart ? clip(session, canonical.session) : session);
  if (isFragment(ofPart(record), ofPart(winner))) return 'fragment';
  const levelOf = ({ session }: Record) => SESSION_DETAILS.indexOf(findSleepDetail(session));
  return !isVital && levelOf(record) > levelOf(winner) ? 'less_detail' : 'outranked';
}

function isFragment(session: Session, whole: Session): boolean {
  const wholeMs = whole.end - whole.start;
  return wholeMs > session.end - session.start && overlapMs(session, whole) < MIN_FRAGMENT_COVERAGE * wholeMs;
}
