// A sync run emits and scores its changes together at its end; other data does not wait for it, and no failure loses it.

import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { MetricId } from '../../src/domain/metrics/index.ts';
import type { DeviceId } from '../../src/domain/tenancy.ts';
import type { DateRange, LocalDate } from '../../src/domain/time/calendar.ts';
import { DAY_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import { claimDevices } from '../../src/features/clouds/sync/device-store.ts';
import { forgetDevice } from '../../src/features/clouds/sync/index.ts';
import { emitChangesOf, recordPendingChange } from '../../src/features/clouds/sync/pending-changes.ts';
import { runDevice } from '../../src/features/clouds/sync/schedule/run-device.ts';
import { type Batch, ingest, type RecordedChange } from '../../src/features/pipeline/ingest/index.ts';
import { listSourceDevices } from '../../src/features/store/devices/index.ts';
import { changeUser, type UserHandle } from '../../src/features/tenancy/user-core/index.ts';
import type { Transaction } from '../../src/platform/db/database.ts';
import type { CloudRequest } from '../support/stub-cloud.ts';
import { type Connected, openTestCloud } from '../support/test-cloud.ts';
import { readStoredEvents } from '../support/test-events.ts';
import { insertDevice } from '../support/test-samples.ts';

const DAYS = 60; // more pages than one transaction commits
const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: String(DAYS) });
const { stub, clock, services } = cloud;
const COLLECTIONS = '/oura/v2/usercollection';
const ACTIVITY = `${COLLECTIONS}/daily_activity`;

beforeEach(async () => {
  for (const table of ['sync_tasks', 'synced_devices']) await cloud.query(`delete from ${table}`);
  stub.answer(COLLECTIONS, { json: { data: [], next_token: null } });
  stub.answer(ACTIVITY, answerDay);
});

describe('while a sync run collects changes', () => {
  it('nothing of it is scored, and uploads of a phone are handled as usual', async () => {
    const connected = await connect();
    const { userId } = connected.user;
    let seen: { gathered: string; events: number; mark: Mark | null; afterUpload: Mark | null } | null = null;
    stub.answer(ACTIVITY, async (request) => {
      const gathered = await readGathered(connected);
      if (gathered !== null && seen === null) {
        const events = (await readStoredEvents(services.db, userId)).length;
        const mark = await readMark(userId);
        await upload(connected.user, '2026-02-20' as LocalDate);
        seen = { gathered, events, mark, afterUpload: await readMark(userId) };
      }
      return answerDay(request);
    });
    await cloud.runDue();
    const soon = new Date(clock.now().getTime() + SECOND_MS);
    assert.ok(seen !== null, 'pages were committed before the last was fetched');
    const { gathered, ...others } = seen as { gathered: string };
    assert.match(gathered, /^\{\[2026-0\d-\d\d,2026-03-02\)\}$/);
    assert.deepEqual(others, {
      events: 0,
      mark: null,
      afterUpload: { days: '{[2026-02-20,2026-02-21)}', due_at: soon },
    });
    assert.deepEqual(await readMark(userId), { days: '{[2026-01-01,2026-03-02)}', due_at: soon });
    assert.deepEqual(
      (await readStoredEvents(services.db, userId)).map(({ type, from_date, to_date }) => [type, from_date, to_date]),
      [
        ['data.updated', '2026-02-20', '2026-02-20'],
        ['data.updated', '2026-01-01', '2026-03-01'],
        ['device.backfilled', null, null],
      ],
    );
  });

  it('only the days of the emitted device are scored, not those of another running sync', async () => {
    const { user, device } = await connect();
    const other = (await insertDevice(services.db, user.userId, { number: 7 })).id as DeviceId;
    await asUser(user, async (tx, handle) => {
      await recordPendingChange(tx, handle, changeOf(device.id, { from: '2026-02-01', to: '2026-02-03' }));
      await recordPendingChange(tx, handle, changeOf(device.id, { from: '2026-02-10', to: '2026-02-10' }));
      await recordPendingChange(tx, handle, changeOf(other, { from: '2025-06-01', to: '2025-06-02' }));
      await emitChangesOf(tx, handle, device.id, clock.now());
    });
    assert.equal((await readMark(user.userId))?.days, '{[2026-02-01,2026-02-04),[2026-02-10,2026-02-11)}');
    await asUser(user, (tx, handle) => emitChangesOf(tx, handle, other, clock.now()));
    assert.match((await readMark(user.userId))?.days ?? '', /^\{\[2025-06-01,2025-06-03\),/);
    const [first] = await readStoredEvents(services.db, user.userId);
    assert.deepEqual([first?.from_date, first?.to_date], ['2026-02-01', '2026-02-10']);
  });

  it('days of which only scores can change are scored, and not reported as data', async () => {
    const { user, device } = await connect();
    const day = { from: '2026-02-05', to: '2026-02-05' };
    await asUser(user, async (tx, handle) => {
      const rescoreRanges = [{ from: '2026-02-06', to: '2026-02-20' } as DateRange];
      await recordPendingChange(tx, handle, { ...changeOf(device.id, day), rescoreRanges });
      await emitChangesOf(tx, handle, device.id, clock.now());
    });
    assert.equal((await readMark(user.userId))?.days, '{[2026-02-05,2026-02-21)}');
    const [reported] = await readStoredEvents(services.db, user.userId);
    assert.deepEqual([reported?.from_date, reported?.to_date], [day.from, day.to]);
  });
});

describe('pending changes are emitted and scored', () => {
  const day = { from: '2026-02-05', to: '2026-02-05' };
  const assertReported = async ({ user }: Connected) => {
    assert.equal((await readMark(user.userId))?.days, '{[2026-02-05,2026-02-06)}');
    assert.deepEqual(
      (await readStoredEvents(services.db, user.userId)).map(({ type, from_date }) => [type, from_date]),
      [['data.updated', day.from]],
    );
  };
  const gather = (connected: Connected) =>
    asUser(connected.user, (tx, handle) => recordPendingChange(tx, handle, changeOf(connected.device.id, day)));

  it('when the sync run fails in the middle', async () => {
    const connected = await connect();
    await cloud.query('delete from sync_tasks');
    await gather(connected);
    const now = clock.now();
    const until = new Date(now.getTime() + DAY_MS);
    const [device] = await claimDevices(services.db, { provider: 'oura', now, until, limit: 1 }, true);
    assert.ok(device !== undefined);
    const fail = () => {
      throw new Error('in the middle');
    };
    await assert.rejects(runDevice(services, device, fail), /in the middle/);
    await assertReported(connected);
  });

  it('when the application is gone', async () => {
    const connected = await connect();
    await gather(connected);
    await cloud.query(`update synced_devices set app_id = 'gone'`);
    await cloud.runDue();
    await assertReported(connected);
  });

  it('when the device is disconnected', async () => {
    const connected = await connect();
    await gather(connected);
    await asUser(connected.user, (tx, handle) => forgetDevice(tx, handle, connected.device.id, clock.now()));
    await assertReported(connected);
    assert.equal(await readGathered(connected), null);
  });
});

async function connect(): Promise<Connected> {
  const connected = await cloud.connect('oura', { tokens: { scopes: ['daily'] } });
  await cloud.query(`delete from sync_tasks where kind = 'subscribe'`);
  return connected;
}

/** One day per page, newest first. */
function answerDay({ query }: CloudRequest) {
  const from = Date.parse(query.get('start_date') ?? '');
  const days = (Date.parse(query.get('end_date') ?? '') - from) / DAY_MS;
  const page = Number(query.get('next_token') ?? 0);
  const day = new Date(from + (days - 1 - page) * DAY_MS).toISOString().slice(0, 10);
  const next_token = page + 1 < days ? String(page + 1) : null;
  return { json: { data: days < 1 ? [] : [{ id: day, day, steps: 5_000 }], next_token } };
}

async function upload(user: UserHandle, date: LocalDate): Promise<void> {
  const { id } = await insertDevice(services.db, user.userId, { number: 7, transport: 'sdk' });
  const daily = [
    { metric: 'active_calories' as MetricId, date, value: 400, unit: 'kcal', method: 'automatic' as const },
  ];
  const batch: Batch = { samples: new Map(), sleep: [], workouts: [], daily, deletions: [] };
  await asUser(user, async (tx, handle) => {
    const devices = await listSourceDevices(tx, handle);
    const device = devices.find((one) => one.id === id);
    assert.ok(device !== undefined);
    await ingest(tx, handle, { device, devices }, batch, clock.now());
  });
}

function changeOf(deviceId: DeviceId, days: { from: string; to: string }): RecordedChange {
  return {
    type: 'data.updated',
    deviceId,
    metrics: new Set(['steps' as MetricId]),
    days: [days as DateRange],
    hasDeletions: false,
    isUserInitiated: false,
    rescoreRanges: [],
  };
}

async function asUser(user: UserHandle, work: (tx: Transaction, handle: UserHandle) => Promise<void>): Promise<void> {
  await changeUser(services, user.tenant, user.userId, async (tx, locked) => {
    assert.ok(locked !== null);
    await work(tx, locked.handle);
  });
}

type Mark = { readonly days: string; readonly due_at: Date };

async function readMark(userId: string): Promise<Mark | null> {
  const [mark] = await cloud.query<Mark>('select days::text as days, due_at from scoring_queue where user_id = $1', [
    userId,
  ]);
  return mark ?? null;
}

async function readGathered({ user, device }: Connected): Promise<string | null> {
  const [row] = await cloud.query<{ days: string }>(
    'select days::text as days from pending_changes where user_id = $1 and device_id = $2',
    [user.userId, device.id],
  );
  return row?.days ?? null;
}
