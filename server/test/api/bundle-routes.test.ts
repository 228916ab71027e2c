// Tests that a bundle carries the routes, laps and vendors of workouts, and only to accounts that keep routes.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/run-cli.ts';
import type { JsonBody, TestApi } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser, newReference } from '../support/test-users.ts';

const service = await startTestService({ clock: createFrozenClock(new Date('2026-03-10T12:00:00Z')) });
const folder = mkdtempSync(join(tmpdir(), 'bundle-routes-'));
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const LATITUDE = 52.5163123;
const minute = (number: number) => `2026-03-02T17:0${number}:00Z`;
const RUN = {
  id: 'run',
  sport_type: 'running',
  start: minute(0),
  end: '2026-03-02T17:50:00Z',
  route: [0, 1, 2].map((index) => ({
    timestamp: minute(index),
    latitude: LATITUDE,
    longitude: 13.3777 + index / 100,
    elevation_m: index === 1 ? null : 34.5,
  })),
  laps: [
    { start: minute(0), end: minute(3), distance_km: 1, avg_heart_rate: 140 },
    { start: minute(3), end: minute(5), active_calories: 60, elevation_gain_m: 3 },
  ],
  recorded_by: { app: 'com.garmin.android.apps.connectmobile', id: 'garmin-77' },
};
const WATCH = { provider: 'apple_health', id: 'watch', name: 'Watch', device_class: 'wrist' };
const reference = newReference();

async function openUser(keepRoutes: boolean) {
  const account = await createAccount(service);
  await setKept(account.name, keepRoutes);
  const api = service.api(account.live);
  const { id } = await createUser(api, { external_ref: reference });
  return { account, api, id: id as string };
}

async function setKept(account: string, keep_routes: boolean): Promise<void> {
  const { status, text } = await service.operator().patch(`/admin/accounts/${encodeURIComponent(account)}`, {
    keep_routes,
  });
  assert.equal(status, 200, text);
}

async function readWorkout(api: TestApi, id: string): Promise<JsonBody> {
  const list = await api.get(`/v1/users/${id}/workouts?from_date=2026-03-01&to_date=2026-03-09`);
  const { body } = await api.get(`/v1/users/${id}/workouts/${list.body.data[0].id}?include=route,laps`, {
    headers: { 'api-form': '2' },
  });
  return body;
}

async function exportBundle(api: TestApi, id: string): Promise<string> {
  const { status, text } = await api.get(`/v1/users/${id}/export?format=bundle`);
  assert.equal(status, 200, text);
  return text;
}

async function importBundle(bundle: string, id: string): Promise<JsonBody> {
  const path = join(folder, 'user.bundle.ndjson');
  writeFileSync(path, bundle);
  const { code, stdout, stderr } = await runCli(service, ['import', path, '--user', id, '--json']);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

const workoutOf = (bundle: string): JsonBody =>
  bundle
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .find(({ line }) => line === 'workout');

const origin = await openUser(true);
const phone = await startPhone(service, origin.id, { key: origin.account.live });
const samples = [1, 2, 3].map((index) => ({ metric: 'heart_rate', start: minute(index), value: 60 + index }));
await phone.upload({ source: WATCH, workouts: [RUN], samples });
const bundle = await exportBundle(origin.api, origin.id);

describe('a bundle of a user with a route', () => {
  it('gives an account that keeps routes the same route, laps and vendor', async () => {
    const copy = await openUser(true);
    const summary = await importBundle(bundle, copy.id);
    assert.deepEqual([summary.accepted, summary.rejected, summary.routes_not_kept], [4, 0, undefined]);
    const [expected, actual] = [await readWorkout(origin.api, origin.id), await readWorkout(copy.api, copy.id)];
    assert.equal(expected.route.points.length, 3);
    assert.equal(expected.laps.items.length, 2);
    assert.deepEqual(withoutIds(actual), withoutIds(expected));
    const written = workoutOf(await exportBundle(copy.api, copy.id));
    assert.deepEqual(written.recorded_by, { vendor: 'garmin', id: 'garmin-77' });
    assert.deepEqual(written, workoutOf(bundle));
    assert.equal((await importBundle(bundle, copy.id)).duplicates, 4);
  });

  it('gives another account the workout alone, and says so', async () => {
    const copy = await openUser(false);
    const summary = await importBundle(bundle, copy.id);
    assert.deepEqual([summary.accepted, summary.rejected, summary.routes_not_kept], [4, 0, 1]);
    const { route, laps } = await readWorkout(copy.api, copy.id);
    assert.deepEqual([route, laps], [null, null]);
    const rows = await service.running.services.db.query('select 1 from workout_routes where user_id = $1', [copy.id]);
    assert.equal(rows.length, 0);
  });

  it('has no position once the account stops keeping routes', async () => {
    // Without the job that deletes stored routes.
    await service.running.services.db.query(
      'update accounts set keep_routes = false where id = (select account_id from users where id = $1)',
      [origin.id],
    );
    const { route, laps } = workoutOf(await exportBundle(origin.api, origin.id));
    assert.deepEqual([route, laps], [undefined, undefined]);
  });
});

describe('a bundle import that was interrupted', () => {
  it('adds only the missing records when it is repeated', async () => {
    const copy = await openUser(true);
    const lines = bundle
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonBody);
    const first = lines.filter(({ line }) => ['header', 'user', 'device'].includes(line));
    const samples = lines.filter(({ line }) => line === 'samples');
    assert.ok(samples.length > 0);
    const path = `/admin/users/${copy.id}/bundle`;
    const started = await service.operator().post(path, { lines: first, confirmed_reference: null });
    assert.equal(started.status, 200, started.text);
    const { devices } = started.body;
    const batch = { device_id: devices[0].id, devices, lines: samples };
    const stored = await service.operator().post(`${path}/lines`, batch);
    assert.equal(stored.status, 200, stored.text);
    const summary = await importBundle(bundle, copy.id);
    assert.deepEqual(
      [summary.accepted, summary.duplicates, summary.rejected],
      [summary.records - stored.body.accepted, stored.body.accepted, 0],
    );
    const records = (text: string) => text.split('\n').filter((line) => /^{"line":"(samples|workout)"/.test(line));
    const [actual, expected] = [records(await exportBundle(copy.api, copy.id)), records(bundle)];
    assert.deepEqual(actual, expected);
  });
});

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const withoutIds = (body: JsonBody): JsonBody => JSON.parse(JSON.stringify(body).replace(UUID, 'id'));
