// Routes and laps of workouts: kept only by accounts that say so, hidden and deleted when they stop.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { unpack } from '../../src/platform/zstd.ts';
import type { JsonBody, TestApi } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const service = await startTestService({ clock: createFrozenClock(new Date('2026-03-10T12:00:00Z')) });
after(() => service.stop());
const { db } = service.running.services;
const operator = service.operator();

const LATITUDE = 52.5163123;
const ROUTE = [0, 1, 2].map((minute) => ({
  timestamp: `2026-03-02T17:0${minute}:00Z`,
  latitude: Number((LATITUDE + minute / 1_000).toFixed(7)),
  longitude: 13.3777,
  elevation_m: 34.5,
}));
const LAPS = [
  {
    start: '2026-03-02T17:00:00Z',
    end: '2026-03-02T17:05:00Z',
    distance_km: 1,
    active_calories: 60,
    avg_heart_rate: 140,
    max_heart_rate: 150,
    elevation_gain_m: 3,
  },
];
const run = (given: object = {}) => ({
  id: 'run',
  sport_type: 'running',
  start: '2026-03-02T17:00:00Z',
  end: '2026-03-02T17:50:00Z',
  route: ROUTE,
  laps: LAPS,
  ...given,
});
const WATCH = { provider: 'apple_health', id: 'watch', name: 'Watch', device_class: 'wrist' };
const PHONE = { provider: 'apple_health', id: 'phone', name: 'Phone', device_class: 'phone' };

async function openAccount(keepRoutes: boolean) {
  const account = await createAccount(service);
  if (keepRoutes) await setKept(account.name, true);
  const api = service.api(account.live);
  const { id } = await createUser(api);
  const phone = await startPhone(service, id, { key: account.live });
  const upload = async (workouts: object[], source: object = WATCH, more: object = {}): Promise<JsonBody> => {
    const answer = await phone.send({ upload_id: randomUUID(), source, workouts, ...more });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  return { account, api, id, upload };
}

async function setKept(account: string, keep_routes: boolean): Promise<void> {
  const changed = await operator.patch(`/admin/accounts/${encodeURIComponent(account)}`, { keep_routes });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.body.keep_routes, keep_routes);
}

async function readDetail(api: TestApi, id: string, query = '?include=route,laps', form = '2') {
  const list = await api.get(`/v1/users/${id}/workouts?from_date=2026-03-01&to_date=2026-03-09`);
  assert.doesNotMatch(list.text, /latitude|points/);
  const [{ id: workoutId }] = list.body.data;
  return api.get(`/v1/users/${id}/workouts/${workoutId}${query}`, { headers: { 'api-form': form } });
}

const countRoutes = async (id: string) =>
  (await db.query('select 1 from workout_routes where user_id = $1', [id])).length;

async function readRaw(id: string): Promise<string> {
  const rows = await db.query<{ payload: Buffer }>('select payload from raw_payloads where user_id = $1', [id]);
  const texts = await Promise.all(rows.map(async ({ payload }) => (await unpack(payload)).toString()));
  return texts.join('\n');
}

describe('an account that does not keep routes', () => {
  it('stores the workout without them, says so, and has no positions in the raw layer', async () => {
    const { api, id, upload } = await openAccount(false);
    const answer = await upload([
      run(),
      run({ id: 'other', route: null, laps: null, start: '2026-03-03T17:00:00Z', end: '2026-03-03T18:00:00Z' }),
    ]);
    assert.deepEqual([answer.accepted, answer.rejected_count, answer.routes_not_kept], [2, 0, 1]);
    assert.equal(await countRoutes(id), 0);
    const raw = await readRaw(id);
    assert.match(raw, /"id":"run"/);
    assert.doesNotMatch(raw, /latitude|52\.5163/);
    const { body } = await readDetail(api, id);
    assert.deepEqual([body.route, body.laps], [null, null]);
  });
});

describe('an account that keeps routes', () => {
  it('200 returns route and laps on request, the same in both forms', async () => {
    const { api, id, upload } = await openAccount(true);
    assert.equal((await upload([run()])).routes_not_kept, undefined);
    const [one, two] = [await readDetail(api, id, '?include=route,laps', '1'), await readDetail(api, id)];
    const { source, device_id, points } = two.body.route;
    assert.deepEqual(points, ROUTE);
    assert.equal(source, 'apple_health');
    assert.deepEqual(two.body.laps.device_id, device_id);
    assert.equal(two.body.laps.items[0].avg_heart_rate, 140);
    assert.deepEqual([one.body.route, one.body.laps], [two.body.route, two.body.laps]);
    const without = await readDetail(api, id, '');
    assert.ok(!('route' in without.body) && !('laps' in without.body));
    const onlyLaps = await readDetail(api, id, '?include=laps');
    assert.ok(!('route' in onlyLaps.body) && onlyLaps.body.laps !== null);
    assert.equal((await readDetail(api, id, '?include=positions')).status, 400);
  });

  it('returns the route of a copy if the device of the workout has none, and says whose', async () => {
    const { api, id, upload } = await openAccount(true);
    await upload([run({ id: 'w', route: null, laps: null, heart_rate: { avg_bpm: 150 } })], WATCH);
    await upload([run({ id: 'p', laps: null })], PHONE);
    const { body } = await readDetail(api, id);
    assert.equal(body.copies.length, 1);
    const owner = body.source_detail.device_id;
    assert.equal(body.route.device_id === owner, body.copies[0].device_id !== body.route.device_id);
    assert.equal(body.route.points.length, 3);
    assert.equal(body.laps, null);
  });

  it('replaces and deletes them with the workout', async () => {
    const { id, upload } = await openAccount(true);
    await upload([run()]);
    assert.equal((await upload([run()])).duplicates, 1);
    assert.equal((await upload([run({ route: ROUTE.slice(0, 2) })])).accepted, 1);
    assert.equal(await countRoutes(id), 1);
    assert.equal((await upload([run({ route: null, laps: null })])).accepted, 1);
    assert.equal(await countRoutes(id), 0);
    await upload([run()]);
    await upload([], WATCH, { deleted: [{ kind: 'workout', id: 'run' }] });
    assert.equal(await countRoutes(id), 0);
  });

  it('rejects a workout with an impossible position', async () => {
    const { upload } = await openAccount(true);
    const cases: [object, string, string][] = [
      [{ route: [{ ...ROUTE[0], latitude: 91 }] }, 'workouts[0].route[0].latitude', 'out_of_range'],
      [{ route: [{ ...ROUTE[0], longitude: '13' }] }, 'workouts[0].route[0].longitude', 'invalid_type'],
      [
        { route: [{ ...ROUTE[0], timestamp: '2026-03-05T00:00:00Z' }] },
        'workouts[0].route[0].timestamp',
        'sample_outside_workout',
      ],
      [{ route: 'here' }, 'workouts[0].route', 'invalid_type'],
      [{ laps: [{ ...LAPS[0], end: '2026-03-02T16:59:00Z' }] }, 'workouts[0].laps[0].end', 'end_before_start'],
      [{ laps: [{ ...LAPS[0], avg_heart_rate: 900 }] }, 'workouts[0].laps[0].avg_heart_rate', 'out_of_range'],
    ];
    for (const [given, path, error] of cases) {
      const { rejected } = await upload([run(given)]);
      assert.deepEqual([rejected[0].path, rejected[0].error], [path, error]);
    }
  });

  it('has none in a bundle while the job that deletes them has not run yet', async () => {
    const { account, api, id, upload } = await openAccount(true);
    await upload([run()]);
    const path = `/v1/users/${id}/export?format=bundle`;
    assert.match((await api.get(path)).text, /52\.516/);
    await db.query('update accounts set keep_routes = false where name = $1', [account.name]);
    const { text } = await api.get(path);
    assert.match(text, /"line":"workout"/);
    assert.doesNotMatch(text, /"route":|"laps":/);
  });

  it('hides them at once and deletes them when it stops, also from the raw layer', async () => {
    const { account, api, id, upload } = await openAccount(true);
    await upload([run()]);
    assert.match(await readRaw(id), /latitude/);
    const before = await readDetail(api, id);
    await setKept(account.name, false);
    const etag = before.headers.get('etag') ?? '';
    const path = `/v1/users/${id}/workouts/${before.body.id}?include=route`;
    const again = await api.get(path, { headers: { 'api-form': '2', 'if-none-match': etag } });
    assert.deepEqual([again.status, again.body.route], [200, null]);
    await waitUntil('the job', async () => (await countRoutes(id)) === 0 && !/latitude/.test(await readRaw(id)));
    assert.match(await readRaw(id), /"id":"run"/, 'the payload is kept for a replay');
    await setKept(account.name, true);
    assert.equal((await readDetail(api, id)).body.route, null);
    assert.equal((await upload([run()])).accepted, 1, 'sent again, it is new');
    assert.equal((await readDetail(api, id)).body.route.points.length, 3);
  });
});
