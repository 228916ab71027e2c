// What follows every change of a person's data: the event that tells of it, the mark for scoring, and the new revision.

import { METRICS, type MetricId } from '../../../domain/metrics/index.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { DateRange } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { type EventType, recordEvent } from '../../notify/events/index.ts';
import { advanceRevision, type UserHandle } from '../../tenancy/user-core/index.ts';
import { markForScoring } from '../scoring/index.ts';

export type RecordedChange = {
  readonly type: EventType;
  readonly deviceId: DeviceId | null;
  readonly metrics: ReadonlySet<MetricId>;
  /** Ascending. */
  readonly days: readonly DateRange[];
  readonly hasDeletions: boolean;
  /** Of a person, such as a setting: scores follow it at once. What devices send has its pace. */
  readonly isDecision: boolean;
  /** Beside `days`: those whose scores alone can move. */
  readonly rescoreRanges: readonly DateRange[];
};

export type DataChange = RecordedChange & { readonly longestSampleMs?: number };

export type EmitChange = (tx: Transaction, user: UserHandle, change: RecordedChange, now: Date) => Promise<void>;

/** `tell`: who has more to tell of the same thing gathers it, and tells it at once. */
export async function recordChange(
  tx: Transaction,
  user: UserHandle,
  change: DataChange,
  now: Date,
  emit: EmitChange = emitChange,
): Promise<void> {
  await emit(tx, user, change, now);
  await advanceRevision(tx, user, change.longestSampleMs ?? 0);
}

/** Both at once: nobody hears of scores before the data that they come from. */
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
  await markForScoring(tx, user, change, now);
}
