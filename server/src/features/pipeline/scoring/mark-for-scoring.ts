// Asks for the scores of some days, in the transaction of the change.

import type { MetricId } from '../../../domain/metrics/index.ts';
import type { DateRange } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { isOfBody, isOfNight } from './mark.ts';
import { findInputDays, insertMark } from './store.ts';

export type MarkedChange = {
  readonly days: readonly DateRange[];
  readonly metrics: Iterable<MetricId>;
  readonly isDecision: boolean;
  /** What was computed from deleted data goes soon. */
  readonly hasDeletions: boolean;
  /** Without new data. Days to come are left out. */
  readonly rescoreRanges: readonly DateRange[];
};

export async function markForScoring(
  tx: Transaction,
  user: UserHandle,
  { days, metrics, isDecision, hasDeletions, rescoreRanges }: MarkedChange,
  now: Date,
): Promise<void> {
  const today = createZone(user.timezone).dayAt(now.getTime()).date;
  const reached = rescoreRanges.filter(({ from }) => from <= today);
  const ranges = [...days, ...reached.map(({ from, to }) => ({ from, to: to < today ? to : today }))];
  if (ranges.length === 0) return;
  const isOfTodayOnly = ranges.every(({ from, to }) => from === today && to === today);
  const isSoon = !isOfTodayOnly || hasDeletions || isOfNight(metrics) || isOfBody(metrics);
  await insertMark(tx, user, ranges, isDecision ? 'decided' : isSoon ? 'soon' : 'paced', now);
}

/** After a change of what a person told of itself: every day there is. */
export async function markEveryDay(tx: Transaction, user: UserHandle, now: Date): Promise<void> {
  const days = await findInputDays(tx, user);
  if (days !== null) await insertMark(tx, user, [days], 'decided', now);
}
