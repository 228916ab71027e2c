// Polls, requested syncs, and replays of raw pages.

import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { claimDevices, listDueProviders, readSyncStates } from '../../src/features/clouds/sync/device-store.ts';
import { replayUser } from '../../src/features/operator/replay/replay.ts';
import { newId } from '../../src/platform/ids.ts';
import { findProvider } from '../../src/providers/registry.ts';
import { assertEvery } from '../support/assert-every.ts';
import { type Connected, openTestCloud, readDaily } from '../support/test-cloud.ts';
import { ABSENT_ID, createKey } from '../support/test-users.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '30' });
const { stub, clock } = cloud;
const COLLECTIONS = '/oura/v2/usercollection';
const ACTIVITY = `${COLLECTIONS}/daily_activity`;
const steps = (...days: readonly [string, number][]) => ({
  json: { data: days.map(([day, count]) => ({ id: day, day, steps: count })), next_token: null },
});

beforeEach(async () => {
  for (const table of ['sync_tasks', 'synced_devices']) await cloud.query(`delete from ${table}`);
  stub.answer(COLLECTIONS, { json: { data: [], next_token: null } });
  stub.answer(ACTIVITY, steps());
  stub.answer('/oura/v2/webhook/subscription', ({ method }) => ({ json: method === 'GET' ? [] : { id: 's' } }));
});

describe('a resource of an unconfirmed part', () => {
  it('is requested only if the operator enabled the part, and `map` is given the enabled parts', async (t) => {
    const activity = findProvider('oura')?.resources.find(({ name }) => name === 'daily_activity');
    assert.ok(activity);
    const { map } = activity;
    const given: (ReadonlySet<string> | undefined)[] = [];
    const changing: { -readonly [Name in keyof typeof activity]: (typeof activity)[Name] } = activity;
    changing.part = 'trial';
    changing.map = (body, context) => {
      given.push(context.parts);
      return map(body, context);
    };
    const settings = cloud.services.settings as { unconfirmedParts: ReadonlyMap<string, ReadonlySet<string>> };
    t.after(() => {
      delete changing.part;
      changing.map = map;
      settings.unconfirmedParts = new Map();
    });
    const connected = await cloud.connect('oura');
    stub.answer(ACTIVITY, steps(['2026-03-01', 1_000]));
    stub.requests.length = 0;
    await cloud.runDue();
    clock.advance(16 * MINUTE_MS);
    await cloud.runDue();
    assert.ok(stub.at(COLLECTIONS).length > 0);
    assert.equal(stub.at(ACTIVITY).length, 0);
    settings.unconfirmedParts = new Map([['oura', new Set(['trial'])]]);
    clock.advance(16 * MINUTE_MS);
    await cloud.runDue();
    assert.equal((await readDaily(cloud, connected, '2026-03-01')).steps, 1_000);
    assert.deepEqual([...(given[0] ?? [])], ['trial']);
  });
});

describe('polling', () => {
  it('fetches the days that may still change within a quarter of an hour; late changes replace values', async () => {
    const connected = await cloud.connect('oura');
    stub.answer(ACTIVITY, steps(['2026-03-01', 1_000]));
    await cloud.runDue();
    stub.answer(ACTIVITY, steps(['2026-03-01', 2_500]));
    stub.requests.length = 0;
    clock.advance(12 * MINUTE_MS);
    await cloud.runDue();
    assert.equal(stub.at(COLLECTIONS).length, 0);
    clock.advance(3 * MINUTE_MS + 1_000);
    await cloud.runDue();
    assert.deepEqual(
      stub.at(ACTIVITY).map(({ query }) => [query.get('start_date'), query.get('end_date')]),
      [['2026-02-27', '2026-03-02']],
    );
    assert.equal((await readDaily(cloud, connected, '2026-03-01')).steps, 2_500);
  });

  it('emits one event for all its changes, before the end of a backfill', async () => {
    const connected = await cloud.connect('oura');
    stub.answer(ACTIVITY, steps(['2026-02-03', 900], ['2026-03-01', 1_000]));
    stub.answer(`${COLLECTIONS}/workout`, {
      json: {
        data: [
          {
            id: 'w-1',
            activity: 'running',
            day: '2026-02-28',
            start_datetime: '2026-02-28T08:00:00+01:00',
            end_datetime: '2026-02-28T09:00:00+01:00',
          },
        ],
        next_token: null,
      },
    });
    await cloud.runDue();
    const reported = () =>
      cloud.query<{ type: string; metrics: string[]; from: string; to: string }>(
        `select type, metrics, from_date::text as "from", to_date::text as "to" from event_outbox where user_id = $1 order by seq`,
        [connected.user.userId],
      );
    const [history, done, ...others] = await reported();
    assert.deepEqual([history?.type, done?.type, others], ['data.updated', 'device.backfilled', []]);
    assertEvery(['steps', 'exercise'], (metric) => history?.metrics.includes(metric));
    assert.deepEqual([history?.from, history?.to], ['2026-02-03', '2026-03-01']);

    stub.answer(ACTIVITY, steps(['2026-03-01', 2_500]));
    clock.advance(20 * MINUTE_MS);
    await cloud.runDue();
    const [, , poll, ...more] = await reported();
    assert.deepEqual([poll?.type, poll?.from, poll?.to, more], ['data.updated', '2026-03-01', '2026-03-01', []]);
    clock.advance(20 * MINUTE_MS);
    await cloud.runDue();
    assert.equal((await reported()).length, 3, 'no change, no event');
    stub.answer(`${COLLECTIONS}/workout`, { json: { data: [], next_token: null } });
  });

  it('fetches all missed days after a pause', async () => {
    await cloud.connect('oura');
    await cloud.runDue();
    stub.requests.length = 0;
    clock.advance(10 * DAY_MS);
    await cloud.runDue();
    const [request] = stub.at(ACTIVITY);
    const days =
      (Date.parse(request?.query.get('end_date') ?? '') - Date.parse(request?.query.get('start_date') ?? '')) / DAY_MS;
    assert.ok(days >= 13, `${days} days`);
  });
});

describe('the sync metrics', () => {
  it('report the waiting devices per provider and the oldest wait', async () => {
    await cloud.connect('oura');
    clock.advance(MINUTE_MS);
    const read = () => readSyncStates(cloud.services.db, ['oura', 'polar'], clock.now(), true);
    const idle = { waiting: 0, parked: 0, lagSeconds: 0 };
    assert.deepEqual(await read(), [
      { provider: 'oura', waiting: 1, parked: 0, lagSeconds: 60 },
      { provider: 'polar', ...idle },
    ]);
    await cloud.runDue();
    await cloud.query(
      `insert into sync_tasks (user_id, id, device_id, kind, urgency, due_at, created_at, parked_at)
         select user_id, gen_random_uuid(), device_id, 'check', 0, $1, $1, $1 from synced_devices`,
      [clock.now()],
    );
    assert.deepEqual((await read())[0], { provider: 'oura', ...idle, parked: 1 });
  });

  it('read a bounded number of rows however many devices there are', async () => {
    await cloud.query(
      `insert into synced_devices (user_id, device_id, account_id, environment, provider, app_id, due_at, next_poll_at)
         select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'live', 'oura', 'app', $1::timestamptz + interval '1 hour', $1
           from generate_series(1, 20000)`,
      [clock.now()],
    );
    await cloud.query('analyze synced_devices');
    const { db } = cloud.services;
    const now = clock.now();
    const rowsRead = await db.dryRun(async (tx) => {
      await readSyncStates(tx, ['oura', 'polar'], now, true);
      await listDueProviders(tx, ['oura', 'polar'], now, true);
      await claimDevices(tx, { provider: 'oura', now, until: now, limit: 8 }, true);
      const [row] = await tx.query<{ read: string }>(
        `select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables where relname = 'synced_devices'`,
      );
      return Number(row?.read);
    });
    assert.ok(rowsRead < 100, `${rowsRead} rows were read`);
  });
});

describe('POST /v1/users/{id}/devices/{device_id}/sync', () => {
  const path = (user: string, device: string) => `/v1/users/${user}/devices/${device}/sync`;
  const apiFor = async ({ user }: Pick<Connected, 'user'>) =>
    cloud.service.api(await createKey(cloud.service, user.tenant.accountId, 'live'));

  for (const form of ['1', '2'])
    it(`202 in Form ${form}: fetches at once, and once for several calls`, async () => {
      const connected = await cloud.connect('oura');
      await cloud.runDue();
      clock.advance(5 * MINUTE_MS);
      stub.requests.length = 0;
      const api = await apiFor(connected);
      for (let call = 0; call < 3; call += 1) {
        const answer = await api.post(path(connected.user.userId, connected.device.id), undefined, {
          headers: { 'api-form': form },
        });
        assert.equal(answer.status, 202, answer.text);
        assert.deepEqual(answer.body, { device_id: connected.device.id, status: 'syncing' });
        await cloud.runDue();
      }
      assert.equal(stub.at(ACTIVITY).length, 1);
    });

  it('404 for an unknown user or device, 409 for a device that cannot be synced', async () => {
    const connected = await cloud.connect('oura');
    const api = await apiFor(connected);
    assert.equal((await api.post(path(ABSENT_ID, connected.device.id))).status, 404);
    assert.equal((await api.post(path(connected.user.userId, ABSENT_ID))).status, 404);
    await cloud.query(`update devices set status = 'reauthorize' where id = $1`, [connected.device.id]);
    const refused = await api.post(path(connected.user.userId, connected.device.id));
    assert.deepEqual(
      [refused.status, refused.body.error, refused.body.details],
      [409, 'device_not_syncable', { status: 'reauthorize' }],
    );
  });

  it('202 for Garmin: requests the last days again, once for several calls', async () => {
    stub.answer('/garmin', { status: 202 });
    const garmin = await cloud.connect('garmin');
    await cloud.runDue();
    clock.advance(5 * MINUTE_MS);
    stub.requests.length = 0;
    const api = await apiFor(garmin);
    for (let call = 0; call < 3; call += 1) {
      const answer = await api.post(path(garmin.user.userId, garmin.device.id));
      assert.equal(answer.status, 202, answer.text);
      await cloud.runDue();
    }
    const requests = stub.at('/garmin/wellness-api/rest/backfill');
    assert.equal(requests.length, 14, 'each kind once');
    const ageMs = clock.now().getTime() - Number(requests[0]?.query.get('summaryStartTimeInSeconds')) * 1_000;
    assert.ok(ageMs > 2 * DAY_MS && ageMs < 3 * DAY_MS + HOUR_MS, 'today and two days before');
    const [row] = await cloud.query<{ state: string }>('select backfill_state as state from devices where id = $1', [
      garmin.device.id,
    ]);
    assert.equal(row?.state, 'done', 'the backfill is not affected');
  });

  it('202 for a merged device: syncs the device that has the data', async () => {
    const connected = await cloud.connect('oura');
    await cloud.runDue();
    clock.advance(5 * MINUTE_MS);
    stub.requests.length = 0;
    const merged = newId();
    await cloud.query(
      `insert into devices (user_id, id, provider, status, transport, device_class, created_at, connected_at, merged_into)
         select user_id, $2, provider, 'active', transport, device_class, created_at, connected_at, id from devices where id = $1`,
      [connected.device.id, merged],
    );
    const answer = await (await apiFor(connected)).post(path(connected.user.userId, merged));
    assert.deepEqual([answer.status, answer.body], [202, { device_id: merged, status: 'syncing' }]);
    await cloud.runDue();
    assert.ok(stub.at(COLLECTIONS).length > 0);
  });
});

describe('a replay of raw pages', () => {
  it('maps them again: deleted records stay deleted, and the last value wins', async () => {
    const connected = await cloud.connect('oura');
    stub.answer(ACTIVITY, steps(['2026-03-01', 1_000]));
    await cloud.runDue();
    stub.answer(ACTIVITY, steps(['2026-03-01', 2_000]));
    clock.advance(HOUR_MS);
    await cloud.runDue();
    await cloud.query('delete from daily_months where user_id = $1', [connected.user.userId]);
    await cloud.query('delete from device_months where user_id = $1', [connected.user.userId]);
    await replayUser(cloud.services, connected.user.tenant, connected.user.userId);
    assert.equal((await readDaily(cloud, connected, '2026-03-01')).steps, 2_000);
    assert.ok(!cloud.logLines.some((line) => line.includes('cannot be replayed')));
  });
});
