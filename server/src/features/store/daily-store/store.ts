// All SQL of daily values: the values of each device (device_months) and the canonical values (daily_months).
import {
  decodeSheet,
  encodeSheet,
  type MonthNumber,
  type MonthSheet,
  type OpenedSheet,
  openSheet,
} from '../../../domain/packed/month-sheets/index.ts';
import type { DeviceNumber, Tenant, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { sharedRows } from '../../../platform/db/row-statement.ts';
import { sharedStatement } from '../../../platform/db/shared-transaction.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import { readWithUser, type UserHandle } from '../../tenancy/user-core/index.ts';

export type DeviceMonth = {
  readonly month: MonthNumber;
  readonly device: DeviceNumber;
  readonly sheet: MonthSheet;
};
type DailyMonth = { readonly month: MonthNumber; readonly sheet: MonthSheet };
export type DailyMonthsWithDevices = {
  readonly daily: Map<MonthNumber, OpenedSheet>;
  readonly devices: Map<MonthNumber, Map<DeviceNumber, OpenedSheet>>;
};

type DeviceMonthRow = { month: MonthNumber; device: DeviceNumber; payload: Buffer };
/** Without a device: canonical values. */
type AnyMonthRow = Omit<DeviceMonthRow, 'device'> & { device: DeviceNumber | null };
type DailyMonthRow = { month: MonthNumber; payload: Buffer };

const READ_DEVICE_MONTHS = statement(
  'read_device_months',
  'select month, device, payload from device_months where user_id = $1 and month = any($2::integer[]) order by month, device',
);
const LOAD_DAILY_MONTHS = statement(
  'load_daily_months',
  'select month, payload from daily_months where user_id = $1 and month = any($2::integer[]) order by month',
);
/** The outer select lets Citus send both halves to the nodes; `group by` and `or` fix the plan (`platform/db/shared-transaction.ts`). */
const LOAD_MONTHS = statement(
  'load_months',
  `select user_id, month, device, payload from (
     select d.user_id, d.month, null::smallint as device, d.payload from unnest($1::uuid[], $2::integer[]) as asked (user_id, month)
      cross join lateral (select * from daily_months where (user_id = any($3::uuid[]) or user_id = ($3::uuid[])[1])
          and user_id = asked.user_id and month = asked.month group by user_id, month) d
     union all
     select d.user_id, d.month, d.device, d.payload from unnest($1::uuid[], $2::integer[]) as asked (user_id, month)
      cross join lateral (select * from device_months where (user_id = any($3::uuid[]) or user_id = ($3::uuid[])[1])
          and user_id = asked.user_id and month = asked.month group by user_id, month, device) d
   ) months`,
);
const READ_DAILY_MONTHS = statement(
  'read_daily_months',
  'select month, payload from daily_months where user_id = $1 and month between $2 and $3',
);
/**
 * The same with the user, for a batch of requests: one row per request. `layout` lists the months in the payload and their lengths.
 * Base64 is decoded three times as fast as hexadecimal. The comparison with $4 names the users of a distributed table.
 */
const readMonthsWithUser = readWithUser<{ layout: string | null; payload: string | null }>({
  name: 'read_daily_months_with_user',
  columns: ['layout', 'payload'],
  found: `select asked.key, string_agg(d.month || ' ' || length(d.payload), ' ' order by d.month) as layout,
                 encode(string_agg(d.payload, ''::bytea order by d.month), 'base64') as payload
            from unnest($3::text[], $4::uuid[], $5::integer[], $6::integer[]) as asked (key, user_id, first, last)
                 join daily_months d on d.user_id = asked.user_id and d.month between asked.first and asked.last
           where d.user_id = any($4::uuid[])
           group by d.user_id, asked.key`,
});
/** One statement, so that values and their sources are of one snapshot. */
const READ_DAILY_MONTHS_WITH_DEVICES = statement(
  'read_daily_months_with_devices',
  `select month, null::smallint as device, payload from daily_months where user_id = $1 and month between $2 and $3
   union all
   select month, device, payload from device_months where user_id = $1 and month between $2 and $3`,
);
const DELETE_DEVICE_MONTHS = statement(
  'delete_device_months',
  `delete from device_months where user_id = $1
      and (month, device) in (select month, device from unnest($2::integer[], $3::smallint[]) as gone(month, device))`,
);
const DELETE_DAILY_MONTHS = statement(
  'delete_daily_months',
  'delete from daily_months where user_id = $1 and month = any($2::integer[])',
);

/** Decodes whole sheets, to change them. Months and devices without a row are absent. */
export async function readDeviceMonths(
  db: Queryable,
  user: UserHandle,
  months: readonly MonthNumber[],
): Promise<Map<MonthNumber, Map<DeviceNumber, MonthSheet>>> {
  const sheets = new Map<MonthNumber, Map<DeviceNumber, MonthSheet>>();
  if (months.length === 0) return sheets;
  const yieldIfDue = createYielder();
  for (const row of await db.query<DeviceMonthRow>(READ_DEVICE_MONTHS, [user.userId, months])) {
    sheets.getOrInsertComputed(row.month, () => new Map()).set(row.device, decodeSheet(row.payload));
    await yieldIfDue();
  }
  return sheets;
}

export async function loadDailySheets(
  tx: Transaction,
  user: UserHandle,
  months: readonly MonthNumber[],
): Promise<Map<MonthNumber, MonthSheet>> {
  const sheets = new Map<MonthNumber, MonthSheet>();
  if (months.length === 0) return sheets;
  const yieldIfDue = createYielder();
  for (const { month, payload } of await tx.query<DailyMonthRow>(LOAD_DAILY_MONTHS, [user.userId, months])) {
    sheets.set(month, decodeSheet(payload));
    await yieldIfDue();
  }
  return sheets;
}

/** The canonical values and those of all devices, in one statement. Months and devices without a row are absent. */
export async function loadMonths(
  tx: Transaction,
  user: UserHandle,
  months: readonly MonthNumber[],
): Promise<{ daily: Map<MonthNumber, MonthSheet>; devices: Map<MonthNumber, Map<DeviceNumber, MonthSheet>> }> {
  const daily = new Map<MonthNumber, MonthSheet>();
  const devices = new Map<MonthNumber, Map<DeviceNumber, MonthSheet>>();
  const yieldIfDue = createYielder();
  for (const { month, device, payload } of await loadShared(tx, { user, months })) {
    const sheet = decodeSheet(payload);
    if (device === null) daily.set(month, sheet);
    else devices.getOrInsertComputed(month, () => new Map()).set(device, sheet);
    await yieldIfDue();
  }
  return { daily, devices };
}

type AskedMonths = { readonly user: UserHandle; readonly months: readonly MonthNumber[] };

const loadShared = sharedStatement<AskedMonths, AnyMonthRow[]>(async (db, asked) => {
  const rows = await db.query<AnyMonthRow & { user_id: UserId }>(LOAD_MONTHS, [
    asked.flatMap(({ user, months }) => months.map(() => user.userId)),
    asked.flatMap(({ months }) => months),
    asked.map(({ user }) => user.userId),
  ]);
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  return asked.map(({ user }) => byUser.get(user.userId) ?? []);
});

/** Opens sheets without decoding them, to read single metrics. */
export async function readDailyMonths(
  db: Queryable,
  user: UserHandle,
  from: MonthNumber,
  to: MonthNumber,
): Promise<Map<MonthNumber, OpenedSheet>> {
  const rows = await db.query<DailyMonthRow>(READ_DAILY_MONTHS, [user.userId, from, to]);
  return new Map(rows.map(({ month, payload }) => [month, openSheet(payload)]));
}

export type DailyMonths = ReadonlyMap<MonthNumber, OpenedSheet>;
type OpenedDailyMonths = { readonly user: UserHandle; readonly months: DailyMonths };

/** Reads the user and a few months in one query. Null: the user does not exist. */
export async function openWithDailyMonths(
  db: Queryable,
  tenant: Tenant,
  userId: UserId,
  from: MonthNumber,
  to: MonthNumber,
): Promise<OpenedDailyMonths | null> {
  const opened = await readMonthsWithUser(db, tenant, userId, { first: from, last: to });
  if (opened === null) return null;
  const { layout, payload } = opened.found;
  return { user: opened.handle, months: splitMonths(layout ?? '', Buffer.from(payload ?? '', 'base64')) };
}

function splitMonths(layout: string, payload: Buffer): Map<MonthNumber, OpenedSheet> {
  const months = new Map<MonthNumber, OpenedSheet>();
  const numbers = layout === '' ? [] : layout.split(' ').map(Number);
  let position = 0;
  for (let index = 0; index < numbers.length; index += 2) {
    const end = position + (numbers[index + 1] as number);
    months.set(numbers[index] as MonthNumber, openSheet(payload.subarray(position, end)));
    position = end;
  }
  return months;
}

export async function readDailyMonthsWithDevices(
  db: Queryable,
  user: UserHandle,
  from: MonthNumber,
  to: MonthNumber,
): Promise<DailyMonthsWithDevices> {
  const months: DailyMonthsWithDevices = { daily: new Map(), devices: new Map() };
  const rows = await db.query<AnyMonthRow>(READ_DAILY_MONTHS_WITH_DEVICES, [user.userId, from, to]);
  for (const { month, device, payload } of rows) {
    const opened = openSheet(payload);
    if (device === null) months.daily.set(month, opened);
    else months.devices.getOrInsertComputed(month, () => new Map()).set(device, opened);
  }
  return months;
}

const upsertDeviceMonths = sharedRows({
  name: 'upsert_device_months',
  columns: 4,
  text: (rows) => `insert into device_months (user_id, month, device, payload) values ${rows}
   on conflict (user_id, month, device) do update set payload = excluded.payload`,
});
const upsertDailyMonths = sharedRows({
  name: 'upsert_daily_months',
  columns: 3,
  text: (rows) => `insert into daily_months (user_id, month, payload) values ${rows}
   on conflict (user_id, month) do update set payload = excluded.payload`,
});

/** Deletes the rows of empty sheets. */
export async function writeDeviceMonths(
  tx: Transaction,
  user: UserHandle,
  entries: readonly DeviceMonth[],
): Promise<void> {
  const kept = entries.filter(({ sheet }) => !sheet.isEmpty);
  if (kept.length > 0)
    await upsertDeviceMonths(
      tx,
      kept.map(({ month, device, sheet }) => [user.userId, month, device, encodeSheet(sheet)]),
    );
  const gone = entries.filter(({ sheet }) => sheet.isEmpty);
  if (gone.length === 0) return;
  const months = gone.map(({ month }) => month);
  const devices = gone.map(({ device }) => device);
  await tx.query(DELETE_DEVICE_MONTHS, [user.userId, months, devices]);
}

export async function writeDailyMonths(
  tx: Transaction,
  user: UserHandle,
  entries: readonly DailyMonth[],
): Promise<void> {
  const kept = entries.filter(({ sheet }) => !sheet.isEmpty);
  if (kept.length > 0)
    await upsertDailyMonths(
      tx,
      kept.map(({ month, sheet }) => [user.userId, month, encodeSheet(sheet)]),
    );
  const gone = entries.filter(({ sheet }) => sheet.isEmpty).map(({ month }) => month);
  if (gone.length > 0) await tx.query(DELETE_DAILY_MONTHS, [user.userId, gone]);
}

/** Every month with data, ascending. */
export async function listStoredMonths(tx: Queryable, user: UserHandle): Promise<MonthNumber[]> {
  const rows = await tx.query<{ month: MonthNumber }>(
    `select month from daily_months where user_id = $1 union select month from device_months where user_id = $1 order by month`,
    [user.userId],
  );
  return rows.map(({ month }) => month);
}

export async function listMonthsOfDevice(
  tx: Queryable,
  user: UserHandle,
  device: DeviceNumber,
): Promise<MonthNumber[]> {
  const rows = await tx.query<{ month: MonthNumber }>(
    'select month from device_months where user_id = $1 and device = $2 order by month',
    [user.userId, device],
  );
  return rows.map(({ month }) => month);
}

export async function removeDeviceMonths(tx: Transaction, user: UserHandle, device: DeviceNumber): Promise<void> {
  await tx.query('delete from device_months where user_id = $1 and device = $2', [user.userId, device]);
}

/** Erases the daily values of a user. */
export async function removeDays(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query('delete from device_months where user_id = $1', [user.userId]);
  await tx.query('delete from daily_months where user_id = $1', [user.userId]);
}
