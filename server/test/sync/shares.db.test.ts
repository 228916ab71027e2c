// A budget that backfills have used up: more urgent tasks continue, and unusable devices are not retried constantly.

import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR_MS } from '../../src/domain/time/durations.ts';
import { addTasks } from '../../src/features/clouds/sync/store.ts';
import { pack } from '../../src/platform/zstd.ts';
import { assertEvery } from '../support/assert-every.ts';
import { APP, type Connected, openTestCloud } from '../support/test-cloud.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '90' });
const { stub, clock, services } = cloud;
const COLLECTIONS = '/oura/v2/usercollection';
const EMPTY = { json: { data: [], next_token: null } };

beforeEach(async () => {
  for (const table of ['sync_tasks', 'synced_devices', 'provider_budgets']) await cloud.query(`delete from ${table}`);
  stub.answer(COLLECTIONS, EMPTY);
  stub.answer('/oura/v2/webhook/subscription', ({ method }) => ({ json: method === 'GET' ? [] : { id: 's' } }));
  stub.requests.length = 0;
});

/** Oura allows 5,000 in five minutes; here for longer, so that a test can see who waits. */
const spend = (used: number) =>
  cloud.query(
    `insert into provider_budgets (provider, app_id, person, seconds, used, ends_at) values ('oura', $1, '', 300, $2, $3)`,
    [APP, used, new Date(clock.now().getTime() + HOUR_MS)],
  );
const webhook = (resource: string) =>
  ({ action: { kind: 'one', resource, id: 'x-1' }, urgency: 0, dedupeKey: `one ${resource}` }) as const;
const addWebhook = ({ user, device }: Connected) =>
  services.db.transaction((tx) =>
    addTasks(tx, { userId: user.userId, deviceId: device.id }, [webhook('workout')], clock.now()),
  );
const dueOf = async ({ device }: Connected) =>
  (await cloud.query<{ due: Date }>('select due_at as due from synced_devices where device_id = $1', [device.id]))[0]
    ?.due;

describe('a budget of which backfills have used their share', () => {
  it('still serves webhooks and the newest days of a new connection', async () => {
    await spend(3_600); // more than 70 %
    const connected = await cloud.connect('oura');
    await cloud.runDue();
    const starts = stub
      .at(COLLECTIONS)
      .map(({ query }) => query.get('start_date') ?? query.get('start_datetime') ?? '');
    assert.ok(starts.length > 0, 'the newest window is fetched');
    assertEvery(starts, (start) => start > '2026-01-28', 'and nothing older');
    stub.requests.length = 0;
    stub.answer(`${COLLECTIONS}/workout/x-1`, { status: 404 });
    await addWebhook(connected);
    await cloud.runDue();
    assert.equal(stub.at(`${COLLECTIONS}/workout/x-1`).length, 1, 'at once');
    clock.advance(HOUR_MS + 1_000);
    await cloud.runDue();
    const [left] = await cloud.query<{ left: number }>(
      'select count(*)::int as left from sync_tasks where device_id = $1 and urgency = 2',
      [connected.device.id],
    );
    assert.equal(left?.left, 0, 'the backfill continues when there is budget again');
  });
});

describe('a device that cannot be synced', () => {
  it('is retried once an hour if its application is gone, whatever was pushed', async () => {
    const connected = await cloud.connect('garmin');
    await cloud.query('delete from sync_tasks');
    const packed = await pack(Buffer.from('[]'));
    await services.db.transaction((tx) =>
      addTasks(
        tx,
        { userId: connected.user.userId, deviceId: connected.device.id },
        [{ action: { kind: 'pushed', resource: 'dailies', packed }, urgency: 0, dedupeKey: null }],
        clock.now(),
      ),
    );
    await cloud.query(`update synced_devices set app_id = 'gone'`);
    assert.equal(await cloud.runDue(), 1);
    assert.deepEqual(await dueOf(connected), new Date(clock.now().getTime() + HOUR_MS));
  });

  it('sends no more requests if its user is deleted during a sync run', async () => {
    const connected = await cloud.connect('oura');
    await cloud.query(`delete from sync_tasks where kind = 'subscribe'`);
    stub.requests.length = 0;
    stub.answer(COLLECTIONS, async () => {
      await cloud.query(`update users set status = 'deleting' where id = $1`, [connected.user.userId]);
      return EMPTY;
    });
    await cloud.runDue();
    // The pages that were fetched before, and none of them twice.
    const requests = stub.at(COLLECTIONS).map(({ path, query }) => `${path} ${query}`);
    assert.ok(requests.length > 0);
    assert.equal(new Set(requests).size, requests.length);
  });
});
