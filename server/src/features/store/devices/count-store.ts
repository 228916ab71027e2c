// Counts the devices of the whole service.
import { type Queryable, statement } from '../../../platform/db/database.ts';

export type DeviceCount = { readonly provider: string; readonly status: string; readonly count: number };

const MAX_ROWS = 100_000; // counted in some 20 ms
const READ_SIZE = statement(
  'read_device_table_size',
  `select greatest(reltuples, 1)::float8 as rows from pg_class where oid = 'devices'::regclass`,
);
const COUNT_DEVICES = statement(
  'count_devices_by_status',
  'select provider, status, count(*)::float8 as count from devices tablesample system ($1) group by 1, 2',
);

/** Exact up to about 100,000 devices; beyond, an estimate from a sample of about as many. */
export async function countDevicesByProvider(db: Queryable): Promise<DeviceCount[]> {
  const [size] = await db.query<{ rows: number }>(READ_SIZE);
  const share = Math.min(1, MAX_ROWS / (size?.rows ?? 1));
  const rows = await db.query<DeviceCount>(COUNT_DEVICES, [share * 100]);
  return rows.map((row) => ({ ...row, count: Math.round(row.count / share) }));
}
