// Polls, syncs on request, and pages that are kept and mapped again.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { replayUser } from '../../src/features/replay/replay.ts';
import { readSyncStates } from '../../src/features/sync/turns/store.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../support/test-clock.ts';
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
  for (const table of ['sync_errands', 'synced_devices']) await cloud.query(`delete from ${table}`);
  stub.answer(COLLECTIONS, { json: { data: [], next_token: null } });
  stub.answer(ACTIVITY, steps());
  stub.answer('/oura/v2/webhook/subscription', ({ method }) => ({ json: method === 'GET' ? [] : { id: 's' } }));
});

describe('polling', () => {
  it('asks within a quarter of an hour for the days that may still change; late changes replace', async () => {
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

  it('after days away asks for all that it missed', async () => {
    await cloud.connect('oura');
    await cloud.runDue();
    stub.requests.length = 0;
    clock.advance(10 * DAY_MS);
    await cloud.runDue();
    const [asked] = stub.at(ACTIVITY);
    const days =
      (Date.parse(asked?.query.get('end_date') ?? '') - Date.parse(asked?.query.get('start_date') ?? '')) / DAY_MS;
    assert.ok(days >= 13, `${days} days`);
  });
});

describe('what is told of syncing', () => {
  it('is what waits of each provider, and for how long the first has', async () => {
    await cloud.connect('oura');
    clock.advance(MINUTE_MS);
    const [oura, ...others] = await readSyncStates(cloud.services.db, clock.now());
    assert.deepEqual([oura?.provider, oura?.setAside, oura?.lagSeconds, others], ['oura', 0, 60, []]);
    const waiting = oura?.waiting ?? 0;
    assert.ok(waiting > 5, `${waiting} errands`);
    await cloud.runDue();
    const [done] = await readSyncStates(cloud.services.db, clock.now());
    assert.deepEqual([done?.waiting, done?.lagSeconds], [0, 0]);
  });
});

describe('POST /v1/users/{id}/devices/{device_id}/sync', () => {
  const path = (user: string, device: string) => `/v1/users/${user}/devices/${device}/sync`;
  const apiFor = async ({ user }: Pick<Connected, 'user'>) =>
    cloud.service.api(await createKey(cloud.service, user.userId, 'live'));

  for (const form of ['1', '2'])
    it(`202 in Form ${form}: fetched at once, and once for many calls`, async () => {
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

  it('404 for a user or a device that is not there, 409 where there is nobody to ask', async () => {
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
    stub.answer('/garmin', { status: 202 });
    const garmin = await cloud.connect('garmin');
    const answer = await (await apiFor(garmin)).post(path(garmin.user.userId, garmin.device.id));
    assert.equal(answer.status, 409, 'Garmin sends by itself');
  });
});

describe('a replay of kept pages', () => {
  it('maps them anew: what was deleted stays so, and the last word stands', async () => {
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
