// All SQL of gathered_changes. Written only under the lock of the user.
import type { LocalDate } from '../../../domain/calendar.ts';
import { METRICS, type MetricId } from '../../../domain/metrics/index.ts';
import type { DeviceId, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { NewEvent } from '../../events/index.ts';
import type { UserHandle } from '../../subjects/index.ts';

export type Changes = Required<Pick<NewEvent, 'metrics' | 'days' | 'hasDeletions'>>;

const ADD_CHANGE = statement(
  'add_gathered_change',
  `insert into gathered_changes as c (user_id, device_id, metrics, from_date, to_date, has_deletions) values ($1, $2, $3, $4, $5, $6)
   on conflict (user_id, device_id) do update set
     metrics = array(select distinct unnest(c.metrics || excluded.metrics)), from_date = least(c.from_date, excluded.from_date),
     to_date = greatest(c.to_date, excluded.to_date), has_deletions = c.has_deletions or excluded.has_deletions`,
);
const HAS_CHANGES = statement(
  'has_gathered_changes',
  'select exists (select from gathered_changes where user_id = $1 and device_id = $2) as has',
);
const TAKE_CHANGES = statement(
  'take_gathered_changes',
  `delete from gathered_changes where user_id = $1 and device_id = $2
   returning metrics, from_date::text as "from", to_date::text as "to", has_deletions as "hasDeletions"`,
);

export async function addChange(
  tx: Transaction,
  { userId }: UserHandle,
  deviceId: DeviceId,
  { metrics, days, hasDeletions }: Changes,
): Promise<void> {
  await tx.query(ADD_CHANGE, [userId, deviceId, metrics, days?.from ?? null, days?.to ?? null, hasDeletions]);
}

export async function hasChanges(db: Queryable, userId: UserId, deviceId: DeviceId): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(HAS_CHANGES, [userId, deviceId]);
  return row?.has === true;
}

type ChangesRow = {
  metrics: MetricId[];
  from: LocalDate | null;
  to: LocalDate | null;
  hasDeletions: boolean;
};

/** Null: there are none. In the order of the catalog. */
export async function takeChanges(
  tx: Transaction,
  { userId }: UserHandle,
  deviceId: DeviceId,
): Promise<Changes | null> {
  const [row] = await tx.query<ChangesRow>(TAKE_CHANGES, [userId, deviceId]);
  if (row === undefined) return null;
  const { from, to, hasDeletions } = row;
  const metrics = METRICS.filter(({ id }) => row.metrics.includes(id)).map(({ id }) => id);
  return { metrics, days: from === null || to === null ? null : { from, to }, hasDeletions };
}
