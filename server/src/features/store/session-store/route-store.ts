// All SQL of workout_routes. Writers hold the user's lock.
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { ROUTE_DIGEST } from './pack-session.ts';

type RouteRow = {
  readonly device: DeviceNumber;
  readonly key: string;
  /** Compressed. */
  readonly route: Buffer | null;
  readonly laps: Buffer | null;
};

const UPSERT = statement(
  'upsert_workout_routes',
  `insert into workout_routes (user_id, device, key, route, laps)
   select $1, $2, * from unnest($3::text[], $4::bytea[], $5::bytea[])
   on conflict (user_id, device, key) do update set route = excluded.route, laps = excluded.laps`,
);
const READ = statement(
  'read_workout_routes',
  `select device, key, route, laps from workout_routes
    where user_id = $1 and (device, key) in (select * from unnest($2::smallint[], $3::text[]))`,
);
const REMOVE = statement(
  'remove_workout_routes',
  'delete from workout_routes where user_id = $1 and device = $2 and key = any($3::text[])',
);

export async function upsertRoutes(
  tx: Transaction,
  { userId }: UserHandle,
  device: DeviceNumber,
  rows: readonly Omit<RouteRow, 'device'>[],
): Promise<void> {
  await tx.query(UPSERT, [
    userId,
    device,
    rows.map(({ key }) => key),
    rows.map(({ route }) => route),
    rows.map(({ laps }) => laps),
  ]);
}

export function readRouteRows(
  db: Queryable,
  { userId }: UserHandle,
  workouts: readonly Pick<RouteRow, 'device' | 'key'>[],
): Promise<RouteRow[]> {
  return db.query<RouteRow>(READ, [userId, workouts.map(({ device }) => device), workouts.map(({ key }) => key)]);
}

export async function removeRoutesOfKeys(
  tx: Transaction,
  { userId }: UserHandle,
  device: DeviceNumber,
  keys: readonly string[],
): Promise<void> {
  await tx.query(REMOVE, [userId, device, keys]);
}

export async function removeRoutesOfDevice(tx: Transaction, { userId }: UserHandle, device: DeviceNumber) {
  await tx.query('delete from workout_routes where user_id = $1 and device = $2', [userId, device]);
}

/** Of all workouts of the user; the workouts stay. */
export async function removeRoutes(tx: Transaction, { userId }: UserHandle): Promise<void> {
  await tx.query('delete from workout_routes where user_id = $1', [userId]);
  await tx.query('update workouts set record = record - $2::text where user_id = $1 and record ? $2::text', [
    userId,
    ROUTE_DIGEST,
  ]);
}

const HAS_ROUTES = statement('has_workout_routes', 'select 1 as found from workout_routes where user_id = $1 limit 1');

export async function hasRoutes(db: Queryable, { userId }: UserHandle): Promise<boolean> {
  return (await db.query(HAS_ROUTES, [userId])).length > 0;
}
