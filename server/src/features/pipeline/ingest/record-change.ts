// After every change of a user's data: emits the event, queues scoring and advances the data revision.

import { METRICS, type MetricId } from '../../../domain/metrics/index.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { DateRange } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { type EventType, recordEvent } from '../../notify/events/index.ts';
import { advanceRevision, type UserHandle } from '../../tenancy/user-core/index.ts';
import { queueScoring } from '../scoring/index.ts';

export type RecordedChange = {
  readonly type: EventType;
  readonly deviceId: DeviceId | null;
  readonly metrics: ReadonlySet<MetricId>;
  /** Ascending. */
  readonly days: readonly DateRange[];
  readonly hasDeletions: boolean;
  /** True for changes such as settings: scores follow at once. Scores of device data follow at intervals. */
  readonly isUserInitiated: boolean;
  /** Days to score again, in addition to `days`. */
  readonly rescoreRanges: readonly DateRange[];
};

type DataChange = RecordedChange & {
  readonly longestSampleMs?: number;
  /** When a device sent the data; recorded with the user. */
  readonly syncedAt?: Date | null;
};

export type EmitChange = (tx: Transaction, user: UserHandle, change: RecordedChange, now: Date) => Promise<void>;

/** A caller with several changes passes `emit` to collect them and emit one event. */
export async function recordChange(
  tx: Transaction,
  user: UserHandle,
  change: DataChange,
  now: Date,
  emit: EmitChange = emitChange,
): Promise<void> {
  await emit(tx, user, change, now);
  await advanceRevision(tx, user, change);
}

/** Emits the event and queues scoring together, so that score events never precede the event of their data. */
export async function emitChange(tx: Transaction, user: UserHandle, change: RecordedChange, now: Date): Promise<void> {
  const { type, deviceId, metrics, days, hasDeletions } = change;
  const [first, last] = [days[0], days.at(-1)];
  await recordEvent(
    tx,
    user,
    {
      type,
      deviceId,
      metrics: METRICS.filter(({ id }) => metrics.has(id)).map(({ id }) => id),
      days: first === undefined || last === undefined ? null : { from: first.from, to: last.to },
      hasDeletions,
    },
    now,
  );
  await queueScoring(tx, user, change, now);
}
