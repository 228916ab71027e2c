// What follows every change of a person's data: the event that tells of it, the mark for scoring, and the new revision.
import type { DateRange, LocalDate } from '../../domain/calendar.ts';
import { METRICS, type MetricId } from '../../domain/metrics/index.ts';
import type { DeviceId } from '../../domain/tenancy.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { type EventType, type NewEvent, recordEvent } from '../events/index.ts';
import { markForScoring } from '../scoring/index.ts';
import { advanceRevision, type UserHandle } from '../subjects/index.ts';
import { rangeOf } from './day-pairs.ts';

export type TellEvent = (tx: Transaction, user: UserHandle, event: NewEvent, now: Date) => Promise<unknown>;

export type DataChange = {
  readonly type: EventType;
  readonly deviceId: DeviceId | null;
  readonly metrics: ReadonlySet<MetricId>;
  readonly dates: readonly LocalDate[];
  readonly hasDeletions: boolean;
  /** Of a person, such as a setting: scores follow it at once. What devices send has its pace. */
  readonly isDecision: boolean;
  readonly longestSampleMs?: number;
  /** Beside `dates`: days whose scores alone can move. */
  readonly measuredAnew: readonly DateRange[];
};

/** `tell`: who has more to tell of the same thing gathers it, and tells it at once. */
export async function recordChange(
  tx: Transaction,
  user: UserHandle,
  change: DataChange,
  now: Date,
  tell: TellEvent = recordEvent,
): Promise<void> {
  const days = rangeOf(change.dates);
  await tell(
    tx,
    user,
    {
      type: change.type,
      deviceId: change.deviceId,
      metrics: METRICS.filter(({ id }) => change.metrics.has(id)).map(({ id }) => id),
      days,
      hasDeletions: change.hasDeletions,
    },
    now,
  );
  await markForScoring(tx, user, change, now);
  await advanceRevision(tx, user, change.longestSampleMs ?? 0);
}
