import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../../../test/support/test-service.ts';
import { createUser } from '../../../../test/support/test-users.ts';
import type { MetricNumber } from '../../../domain/metrics/index.ts';
import {
  createSheet,
  type MonthNumber,
  type MonthSheet,
  readValues,
} from '../../../domain/packed/month-sheets/index.ts';
import type { AccountId, DeviceNumber, UserId } from '../../../domain/tenancy.ts';
import { openUser, type UserHandle } from '../../tenancy/user-core/index.ts';
import {
  type DeviceMonth,
  listMonthsOfDevice,
  listStoredMonths,
  loadDailySheets,
  readDailyMonths,
  readDailyMonthsWithDevices,
  readDeviceMonths,
  removeDays,
  removeDeviceMonths,
  writeDailyMonths,
  writeDeviceMonths,
} from './index.ts';

const STEPS = 1 as MetricNumber;
const [WATCH, RING] = [1, 2] as [DeviceNumber, DeviceNumber];
const month = (number: number) => number as MonthNumber;

function sheetWith(value: number): MonthSheet {
  const sheet = createSheet();
  sheet.set(STEPS, 1, { value, note: 'stated automatic count' });
  return sheet;
}

const entry = (number: number, device: DeviceNumber, value: number): DeviceMonth => ({
  month: month(number),
  device,
  sheet: sheetWith(value),
});

describe('the store of daily values', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  async function newHandle(): Promise<UserHandle> {
    const { db } = service.running.services;
    const { id } = await createUser(service.api());
    const [row] = await db.query<{ account_id: AccountId }>('select account_id from users where id = $1', [id]);
    assert.ok(row);
    const user = await openUser(db, { accountId: row.account_id, environment: 'live' }, id as UserId);
    assert.ok(user);
    return user;
  }
  const write = (user: UserHandle, entries: readonly DeviceMonth[]) =>
    service.running.services.db.transaction((tx) => writeDeviceMonths(tx, user, entries));
  const writeDaily = (user: UserHandle, entries: [number: number, sheet: MonthSheet][]) =>
    service.running.services.db.transaction((tx) =>
      writeDailyMonths(
        tx,
        user,
        entries.map(([number, sheet]) => ({ month: month(number), sheet })),
      ),
    );
  const stepsOf = async (user: UserHandle, months: number[]) => {
    const sheets = await readDeviceMonths(service.running.services.db, user, months.map(month));
    return [...sheets].map(([at, devices]) => [
      at,
      [...devices].map(([device, sheet]) => [device, sheet.get(STEPS, 1)?.value]),
    ]);
  };

  it('returns the months of each device, replaces them, and removes empty months', async () => {
    const user = await newHandle();
    await write(user, [entry(600, WATCH, 1), entry(601, WATCH, 2), entry(600, RING, 3)]);
    await write(user, [entry(601, WATCH, 4), { ...entry(600, RING, 0), sheet: createSheet() }]);
    assert.deepEqual(await stepsOf(user, [599, 600, 601]), [
      [600, [[WATCH, 1]]],
      [601, [[WATCH, 4]]],
    ]);
    assert.deepEqual(await stepsOf(user, []), []);
    assert.deepEqual(await stepsOf(await newHandle(), [600]), []);
  });

  it('writes more months than one statement takes', async () => {
    const user = await newHandle();
    const months = Array.from({ length: 60 }, (_, index) => index - 10);
    await write(
      user,
      months.map((number) => entry(number, WATCH, number)),
    );
    await writeDaily(
      user,
      months.map((number) => [number, sheetWith(number)]),
    );
    assert.deepEqual(await listStoredMonths(service.running.services.db, user), months);
    assert.deepEqual(await listMonthsOfDevice(service.running.services.db, user, WATCH), months);
    assert.equal((await readDailyMonths(service.running.services.db, user, month(-10), month(49))).size, 60);
  });

  it('returns canonical values decoded for writers and opened for readers, with devices on request', async () => {
    const { db } = service.running.services;
    const user = await newHandle();
    await writeDaily(user, [
      [600, sheetWith(1)],
      [601, sheetWith(2)],
      [602, sheetWith(3)],
    ]);
    await write(user, [entry(601, RING, 4), entry(603, WATCH, 5)]);
    await writeDaily(user, [
      [600, createSheet()],
      [601, sheetWith(6)],
    ]);
    const loaded = await db.transaction((tx) => loadDailySheets(tx, user, [month(600), month(601)]));
    assert.deepEqual(
      [...loaded].map(([at, sheet]) => [at, sheet.get(STEPS, 1)?.value]),
      [[601, 6]],
    );
    const values = new Float64Array(31);
    const { daily, devices } = await readDailyMonthsWithDevices(db, user, month(600), month(602));
    assert.deepEqual([...daily.keys()].sort(), [601, 602]);
    assert.deepEqual(
      [...devices].map(([at, sheets]) => [at, [...sheets.keys()]]),
      [[601, [RING]]],
    );
    for (const opened of [
      daily.get(month(601)),
      (await readDailyMonths(db, user, month(601), month(601))).get(month(601)),
    ]) {
      assert.ok(opened && readValues(opened, STEPS, values));
      assert.equal(values[0], 6);
    }
  });

  it('removes the months of a device, and of a user', async () => {
    const { db } = service.running.services;
    const [user, other] = [await newHandle(), await newHandle()];
    for (const handle of [user, other]) {
      await write(handle, [entry(600, WATCH, 1), entry(601, RING, 2)]);
      await writeDaily(handle, [[602, sheetWith(3)]]);
    }
    await db.transaction((tx) => removeDeviceMonths(tx, user, RING));
    assert.deepEqual(await listStoredMonths(db, user), [600, 602]);
    await db.transaction((tx) => removeDays(tx, user));
    assert.deepEqual(await listStoredMonths(db, user), []);
    assert.deepEqual(await listStoredMonths(db, other), [600, 601, 602]);
  });
});
