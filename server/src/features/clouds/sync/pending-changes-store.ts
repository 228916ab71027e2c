// SQL of pending_changes. Written only under the user's lock.
import type { MetricId } from '../../../domain/metrics/index.ts';
import type { DeviceId, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { RecordedChange } from '../../pipeline/ingest/index.ts';
import {
  type DateRangesColumn,
  readDateRanges,
  selectDateRanges,
  writeDateRanges,
} from '../../store/daily-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

export type Changes = Pick<RecordedChange, 'metrics' | 'days' | 'rescoreRanges' | 'hasDeletions'>;

const ADD_CHANGE = statement(
  'add_pending_change',
  `insert into pending_changes as c (user_id, device_id, metrics, days, rescore_ranges, has_deletions)
   values ($1, $2, $3, $4::datemultirange, $5::datemultirange, $6)
   on conflict (user_id, device_id) do update set
     metrics = array(select distinct unnest(c.metrics || excluded.metrics)), days = c.days + excluded.days,
     rescore_ranges = c.rescore_ranges + excluded.rescore_ranges, has_deletions = c.has_deletions or excluded.has_deletions`,
);
const HAS_CHANGES = statement(
  'has_pending_changes',
  'select exists (select from pending_changes where user_id = $1 and device_id = $2) as has',
);
const TAKE_CHANGES = statement(
  'take_pending_changes',
  `delete from pending_changes where user_id = $1 and device_id = $2
   returning metrics, ${selectDateRanges('days')} as days, ${selectDateRanges('rescore_ranges')} as "rescoreRanges",
     has_deletions as "hasDeletions"`,
);

export async function addChange(
  tx: Transaction,
  { userId }: UserHandle,
  deviceId: DeviceId,
  { metrics, days, rescoreRanges, hasDeletions }: Changes,
): Promise<void> {
  await tx.query(ADD_CHANGE, [
    userId,
    deviceId,
    [...metrics],
    writeDateRanges(days),
    writeDateRanges(rescoreRanges),
    hasDeletions,
  ]);
}

export async function hasChanges(db: Queryable, userId: UserId, deviceId: DeviceId): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(HAS_CHANGES, [userId, deviceId]);
  return row?.has === true;
}

type ChangesRow = {
  metrics: MetricId[];
  days: DateRangesColumn;
  rescoreRanges: DateRangesColumn;
  hasDeletions: boolean;
};

/** Null: there are none. */
export async function takeChanges(
  tx: Transaction,
  { userId }: UserHandle,
  deviceId: DeviceId,
): Promise<Changes | null> {
  const [row] = await tx.query<ChangesRow>(TAKE_CHANGES, [userId, deviceId]);
  if (row === undefined) return null;
  return {
    metrics: new Set(row.metrics),
    days: readDateRanges(row.days),
    rescoreRanges: readDateRanges(row.rescoreRanges),
    hasDeletions: row.hasDeletions,
  };
}
