// Failures of a provider: nothing is lost, requests are limited, and other devices do not wait.

import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { assertEvery } from '../support/assert-every.ts';
import { type Connected, openTestCloud, readDaily } from '../support/test-cloud.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '3' });
const { stub, clock } = cloud;
const COLLECTIONS = '/oura/v2/usercollection';
const EMPTY = { json: { data: [], next_token: null } };
const STEPS = { json: { data: [{ id: 'a', day: '2026-03-01', steps: 4_321 }], next_token: null } };

beforeEach(async () => {
  for (const table of ['sync_tasks', 'synced_devices', 'provider_budgets']) await cloud.query(`delete from ${table}`);
  stub.answer(COLLECTIONS, EMPTY);
  for (const name of ['sleep', 'daily_activity', 'workout', 'heartrate']) stub.answer(`${COLLECTIONS}/${name}`, EMPTY);
  stub.answer('/oura/oauth/token', { json: { access_token: 'fresh', refresh_token: 'next', expires_in: 3_600 } });
  stub.answer('/oura/v2/webhook/subscription', ({ method }) => ({ json: method === 'GET' ? [] : { id: 's' } }));
  stub.requests.length = 0;
});

async function stateOf({ device }: Connected) {
  const [row] = await cloud.query<{ status: string; failed: number }>(
    `select status, (select count(*)::int from event_outbox e where e.device_id = d.id and e.type = 'device.failed') as failed
       from devices d where id = $1`,
    [device.id],
  );
  return row;
}
const tasksOf = ({ device }: Connected) =>
  cloud.query<{ resource: string; attempts: number; parked: boolean }>(
    'select resource, attempts, parked_at is not null as parked from sync_tasks where device_id = $1',
    [device.id],
  );
const connectQuietly = async (provider = 'oura') => {
  const connected = await cloud.connect(provider);
  await cloud.query(`delete from sync_tasks where kind = 'subscribe'`);
  return connected;
};

describe('a failing provider', () => {
  it('is retried with growing backoff after 5xx, and then everything is fetched', async () => {
    const connected = await connectQuietly();
    stub.answer(COLLECTIONS, { status: 503 });
    for (const name of ['sleep', 'daily_activity', 'workout', 'heartrate'])
      stub.answer(`${COLLECTIONS}/${name}`, { status: 503 });
    await cloud.runDue();
    assert.equal(stub.at(COLLECTIONS).length, 1, 'one request is enough to know');
    for (let minutes = 0; minutes < 360; minutes += 5) {
      clock.advance(5 * MINUTE_MS);
      await cloud.runDue();
    }
    const { length } = stub.at(COLLECTIONS);
    assert.ok(length > 5 && length < 25, `${length} requests in six hours`);
    assert.equal((await stateOf(connected))?.status, 'active');
    stub.answer(COLLECTIONS, EMPTY);
    for (const name of ['sleep', 'workout', 'heartrate']) stub.answer(`${COLLECTIONS}/${name}`, EMPTY);
    stub.answer(`${COLLECTIONS}/daily_activity`, STEPS);
    clock.advance(2 * HOUR_MS);
    await cloud.runDue();
    assert.deepEqual(await tasksOf(connected), []);
    assert.equal((await readDaily(cloud, connected, '2026-03-01')).steps, 4_321);
  });

  it('stores nothing of an incomplete page and fetches it again', async () => {
    const connected = await connectQuietly();
    let isCutOff = true;
    stub.answer(`${COLLECTIONS}/daily_activity`, () => ({ ...STEPS, isCutOff }));
    await cloud.runDue();
    assert.deepEqual(await readDaily(cloud, connected, '2026-03-01'), {});
    isCutOff = false;
    clock.advance(HOUR_MS);
    await cloud.runDue();
    assert.equal((await readDaily(cloud, connected, '2026-03-01')).steps, 4_321);
  });

  it('treats truncated JSON as an incomplete page', async () => {
    const connected = await connectQuietly();
    let text: string | undefined = '{"data": [{"id": "a", "day": "2026-03-01", "ste';
    stub.answer(`${COLLECTIONS}/daily_activity`, () => (text === undefined ? STEPS : { text }));
    await cloud.runDue();
    assert.equal(
      (await tasksOf(connected)).some(({ resource }) => resource === 'daily_activity'),
      true,
    );
    text = undefined;
    clock.advance(HOUR_MS);
    await cloud.runDue();
    assert.equal((await readDaily(cloud, connected, '2026-03-01')).steps, 4_321);
  });

  it('pauses the whole application after a 429', async () => {
    const one = await connectQuietly();
    const other = await connectQuietly();
    stub.answer(`${COLLECTIONS}/sleep`, { status: 429, headers: { 'retry-after': '120' } });
    await cloud.runDue();
    assert.equal(stub.at(COLLECTIONS).length, 1);
    clock.advance(MINUTE_MS);
    await cloud.runDue();
    assert.equal(stub.at(COLLECTIONS).length, 1, 'neither device sends a request');
    stub.answer(`${COLLECTIONS}/sleep`, EMPTY);
    clock.advance(2 * MINUTE_MS);
    await cloud.runDue();
    assert.deepEqual([...(await tasksOf(one)), ...(await tasksOf(other))], []);
  });

  it('parks a task after repeated 4xx and continues with the others', async () => {
    const connected = await connectQuietly();
    stub.answer(`${COLLECTIONS}/sleep`, { status: 422 });
    stub.answer(`${COLLECTIONS}/daily_activity`, STEPS);
    await cloud.runDue();
    assert.equal((await readDaily(cloud, connected, '2026-03-01')).steps, 4_321, 'in the same sync run');
    await cloud.query('update synced_devices set next_poll_at = null where device_id = $1', [connected.device.id]);
    for (let hour = 0; hour < 48; hour += 1) {
      clock.advance(HOUR_MS / 2);
      await cloud.runDue();
    }
    const tasks = await tasksOf(connected);
    assert.deepEqual(tasks, [{ resource: 'sleep', attempts: 5, parked: true }]);
    assert.equal(stub.at(`${COLLECTIONS}/sleep`).length, 5);
    const [row] = await cloud.query<{ state: string }>('select backfill_state as state from devices where id = $1', [
      connected.device.id,
    ]);
    assert.equal(row?.state, 'failed', 'the failed backfill is reported');
    assert.ok(cloud.logLines.some((line) => line.includes('parked a sync task')));
  });

  it('parks a task whose response cannot be read', async () => {
    const connected = await connectQuietly();
    stub.answer(`${COLLECTIONS}/daily_activity`, { json: { data: 7, next_token: null } });
    await cloud.runDue();
    assert.deepEqual(await tasksOf(connected), [{ resource: 'daily_activity', attempts: 1, parked: false }]);
  });

  it('drops and counts an unreadable field or record and stores the rest of the page', async () => {
    const connected = await connectQuietly();
    const data = [
      { day: 'yesterday', steps: 1 },
      { day: '2026-03-01', steps: 4_321, active_calories: 'NaN' },
    ];
    stub.answer(`${COLLECTIONS}/daily_activity`, { json: { data, next_token: null } });
    await cloud.runDue();
    assert.deepEqual(await tasksOf(connected), []);
    const { steps, active_calories: active } = await readDaily(cloud, connected, '2026-03-01');
    assert.deepEqual([steps, active ?? null], [4_321, null]);
    const line = cloud.logLines.find((one) => one.includes('active_calories unreadable')) ?? '';
    assert.match(line, /"record unreadable":1/);
    assert.doesNotMatch(line, /NaN|yesterday/, 'no value');
  });

  it('skips resources that the user does not share until the user connects again', async () => {
    const connected = await connectQuietly();
    stub.answer(`${COLLECTIONS}/heartrate`, { status: 403 });
    await cloud.runDue();
    assert.deepEqual(await tasksOf(connected), []);
    stub.requests.length = 0;
    clock.advance(HOUR_MS);
    await cloud.runDue();
    assert.ok(stub.at(`${COLLECTIONS}/sleep`).length > 0);
    assert.equal(stub.at(`${COLLECTIONS}/heartrate`).length, 0);
    await cloud.reconnect(connected);
    await cloud.runDue();
    assert.ok(stub.at(`${COLLECTIONS}/heartrate`).length > 0);
  });

  it('drops and counts impossible values and stores the rest of the page', async () => {
    const connected = await connectQuietly();
    const data = [
      { id: 'a', day: '2026-03-01', steps: -5, active_calories: 300 },
      { id: 'b', day: '2026-02-28', steps: 5_000, active_calories: 9_999_999 },
      { id: 'c', day: '2036-02-28', steps: 5_000 },
    ];
    stub.answer(`${COLLECTIONS}/daily_activity`, { json: { data, next_token: null } });
    await cloud.runDue();
    const { steps, active_calories } = await readDaily(cloud, connected, '2026-03-01');
    assert.deepEqual({ steps, active_calories }, { steps: undefined, active_calories: 300 });
    assert.equal((await readDaily(cloud, connected, '2026-02-28')).steps, 5_000);
    const line =
      cloud.logLines.find(
        (text) => text.includes('dropped out-of-range provider values') && text.includes('steps out_of_range'),
      ) ?? '';
    assert.match(line, /"steps time":1/);
    assert.ok(!line.includes('9999999'), 'no value in the log');
  });

  it('sends no more requests for an erased user', async () => {
    const connected = await connectQuietly();
    await cloud.query(`update users set status = 'deleting' where id = $1`, [connected.user.userId]);
    await cloud.runDue();
    assert.equal(stub.at(COLLECTIONS).length, 0);
  });
});

describe('tokens', () => {
  it('refreshes an expired token, stores it and then uses it', async () => {
    stub.answer('/oura/oauth/token', async () => {
      const [row] = await cloud.query<{ busy: boolean }>(
        `select bool_or(state = 'idle in transaction') as busy from pg_stat_activity where datname = current_database()`,
      );
      assert.equal(row?.busy, false, 'no database connection is held during the request');
      return { json: { access_token: 'fresh', refresh_token: 'next', expires_in: 3_600 } };
    });
    const connected = await cloud.connect('oura', { tokens: { expiresInSeconds: 10 } });
    await cloud.runDue();
    assert.equal(stub.at('/oura/oauth/token').length, 1);
    assert.equal(stub.at('/oura/oauth/token')[0]?.form.get('refresh_token'), 'first');
    assertEvery(stub.at(COLLECTIONS), ({ headers }) => headers.authorization === 'Bearer fresh');
    clock.advance(2 * HOUR_MS);
    await cloud.runDue();
    assert.equal(stub.at('/oura/oauth/token').at(-1)?.form.get('refresh_token'), 'next');
    assert.equal((await stateOf(connected))?.status, 'active');
  });

  it('sets the device to reauthorize after a definite refusal, with one event and no more requests', async () => {
    const connected = await cloud.connect('oura', { tokens: { expiresInSeconds: 10 } });
    stub.answer('/oura/oauth/token', { status: 400, json: { error: 'invalid_grant' } });
    await cloud.runDue();
    assert.deepEqual(await stateOf(connected), { status: 'reauthorize', failed: 1 });
    clock.advance(2 * DAY_MS);
    await cloud.runDue();
    assert.equal(stub.at('/oura/oauth/token').length, 1);
    assert.equal(stub.at(COLLECTIONS).length, 0);
    await cloud.reconnect(connected);
    await cloud.runDue();
    assert.ok(stub.at(COLLECTIONS).length > 0);
    assert.deepEqual(await stateOf(connected), { status: 'active', failed: 1 });
  });

  for (const [what, answer] of [
    ['a 500', { status: 500 }],
    ['a rejected client', { status: 400, json: { error: 'invalid_client' } }],
    ['a response that is not JSON', { text: '<html>' }],
    ['a response without a token', { json: {} }],
  ] as const)
    it(`does not treat ${what} to a refresh as a refusal`, async () => {
      const connected = await cloud.connect('oura', { tokens: { expiresInSeconds: 10 } });
      stub.answer('/oura/oauth/token', answer);
      for (let hour = 0; hour < 30; hour += 1) {
        await cloud.runDue();
        clock.advance(HOUR_MS);
      }
      assert.deepEqual(await stateOf(connected), { status: 'active', failed: 0 });
      assert.ok(stub.at('/oura/oauth/token').length > 1);
      stub.answer('/oura/oauth/token', { json: { access_token: 'fresh', refresh_token: 'next', expires_in: 3_600 } });
      await cloud.runDue();
      clock.advance(HOUR_MS);
      await cloud.runDue();
      assert.deepEqual(await tasksOf(connected), []);
    });

  it('refreshes a rejected fresh token once, and does not treat a second rejection as a refusal', async () => {
    const connected = await cloud.connect('oura');
    stub.answer(COLLECTIONS, { status: 401 });
    for (const name of ['sleep', 'daily_activity', 'workout', 'heartrate'])
      stub.answer(`${COLLECTIONS}/${name}`, { status: 401 });
    await cloud.runDue();
    assert.equal(stub.at('/oura/oauth/token').length, 1);
    assert.equal(stub.at(COLLECTIONS).length, 2);
    assert.equal((await stateOf(connected))?.status, 'active');
  });

  it('treats a token without refresh as refused once it expires or is rejected for a day', async () => {
    stub.answer('/polar/v3', { status: 401 });
    const revoked = await cloud.connect('polar', { tokens: { refreshToken: null } });
    await cloud.runDue();
    assert.equal((await stateOf(revoked))?.status, 'active');
    for (let hour = 0; hour < 30; hour += 1) {
      clock.advance(HOUR_MS);
      await cloud.runDue();
    }
    assert.deepEqual(await stateOf(revoked), { status: 'reauthorize', failed: 1 });
    const ended = await cloud.connect('polar', { tokens: { refreshToken: null, expiresInSeconds: 60 } });
    clock.advance(DAY_MS);
    await cloud.runDue();
    assert.deepEqual(await stateOf(ended), { status: 'reauthorize', failed: 1 });
  });
});
