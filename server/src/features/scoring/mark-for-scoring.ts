// Asks for the scores of some days, in the transaction of the change.
import type { LocalDate } from '../../domain/calendar.ts';
import { createZone } from '../../domain/day.ts';
import type { MetricId } from '../../domain/metrics/index.ts';
import type { Transaction } from '../../platform/db/database.ts';
import type { UserHandle } from '../subjects/index.ts';
import { isOfNight, toRanges } from './mark.ts';
import { findInputDays, insertMark } from './store.ts';

export async function markForScoring(
  tx: Transaction,
  user: UserHandle,
  { dates, metrics }: { readonly dates: Iterable<LocalDate>; readonly metrics: Iterable<MetricId> },
  now: Date,
): Promise<void> {
  const ranges = toRanges(dates);
  if (ranges.length === 0) return;
  const today = createZone(user.timezone).dayAt(now.getTime()).date;
  const isOfTodayOnly = ranges.every(({ from, to }) => from === today && to === today);
  await insertMark(tx, user, ranges, { isUrgent: !isOfTodayOnly || isOfNight(metrics), now });
}

/** After a change of what a person told of itself: every day there is. */
export async function markEveryDay(tx: Transaction, user: UserHandle, now: Date): Promise<void> {
  const days = await findInputDays(tx, user);
  if (days !== null) await insertMark(tx, user, [days], { isUrgent: true, now });
}
