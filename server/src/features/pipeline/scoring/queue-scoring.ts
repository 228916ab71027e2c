// Queues days for scoring, in the transaction of the change.

import type { MetricId } from '../../../domain/metrics/index.ts';
import { isScoredAtOnce } from '../../../domain/scores/index.ts';
import type { DateRange } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { queueDays } from './queue-store.ts';
import { findInputDays } from './store.ts';

type QueuedChange = {
  readonly days: readonly DateRange[];
  readonly metrics: Iterable<MetricId>;
  readonly isUserInitiated: boolean;
  /** Scores of deleted data are recomputed soon. */
  readonly hasDeletions: boolean;
  /** Days without new data that are scored again. Future days are skipped. */
  readonly rescoreRanges: readonly DateRange[];
};

export async function queueScoring(
  tx: Transaction,
  user: UserHandle,
  { days, metrics, isUserInitiated, hasDeletions, rescoreRanges }: QueuedChange,
  now: Date,
): Promise<void> {
  const today = createZone(user.timezone).dayAt(now.getTime()).date;
  const reached = rescoreRanges.filter(({ from }) => from <= today);
  const ranges = [...days, ...reached.map(({ from, to }) => ({ from, to: to < today ? to : today }))];
  if (ranges.length === 0) return;
  const isOfTodayOnly = ranges.every(({ from, to }) => from === today && to === today);
  const isSoon = !isOfTodayOnly || hasDeletions || [...metrics].some(isScoredAtOnce);
  await queueDays(tx, user, ranges, isUserInitiated ? 'decided' : isSoon ? 'soon' : 'paced', now);
}

/** Queues every day with data, after a change of the profile or settings. */
export async function queueEveryDay(tx: Transaction, user: UserHandle, now: Date): Promise<void> {
  const days = await findInputDays(tx, user);
  if (days !== null) await queueDays(tx, user, [days], 'decided', now);
}
