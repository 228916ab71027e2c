// Tests consolidation: the catalog, a user's configuration, and the effect of a change on the days.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { rebuildUserJob } from '../../src/features/pipeline/ingest/index.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { readStoredEvents } from '../support/test-events.ts';
import { startPhone, type TestPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createFrozenClock(new Date('2026-03-10T12:00:00Z'));
const service = await startTestService({ clock });
after(() => service.stop());
const api = service.api();

const WATCH = { provider: 'health_connect', id: 'watch', device_class: 'wrist' };
const RING = { provider: 'samsung_health', id: 'ring', device_class: 'ring' };
const steps = (start: string, end: string, value: number) => ({ metric: 'steps', start, end, value });
const NIGHT = { start: '2026-03-08T22:00:00Z', end: '2026-03-09T06:00:00Z' };

/** A user with two providers that disagree: 1,000 and 900 + 300 steps; 450 and 400 minutes asleep. */
async function createTwoDevices(target = service): Promise<{ user: JsonBody; phone: TestPhone }> {
  const user = await createUser(target.api());
  const phone = await startPhone(target, user.id, { platform: 'android' });
  const morning = ['2026-03-09T08:00:00Z', '2026-03-09T08:15:00Z'] as const;
  await phone.upload({
    source: WATCH,
    samples: [steps(...morning, 1000)],
    sleep: [{ ...NIGHT, asleep_minutes: 400 }],
    workouts: [{ sport_type: 'running', start: '2026-03-09T08:00:00Z', end: '2026-03-09T08:30:00Z' }],
  });
  await phone.upload({
    source: RING,
    samples: [steps(...morning, 900), steps('2026-03-09T18:00:00Z', '2026-03-09T18:15:00Z', 300)],
    sleep: [{ ...NIGHT, asleep_minutes: 450 }],
  });
  return { user, phone };
}

const pathOf = (user: JsonBody) => `/v1/users/${user.id}/consolidation`;
async function readDay(user: JsonBody, type: string, from = api): Promise<number | null> {
  const { body } = await from.get(`/v1/users/${user.id}/daily?types=${type}&from_date=2026-03-09&to_date=2026-03-09`);
  return body.series[type][0];
}
const settles = (user: JsonBody, type: string, value: number | null) =>
  waitUntil(`${type} becomes ${value}`, async () => (await readDay(user, type)) === value);
const keyOf = (configuration: JsonBody, key: string) =>
  configuration.metrics.find((metric: { key: string }) => metric.key === key);
async function listEvents(user: JsonBody, db = service.running.services.db): Promise<string[]> {
  const events = await readStoredEvents(db, user.id);
  return events.map(({ type }) => type).filter((type) => type === 'subject.synced');
}

describe('GET /v1/consolidation/catalog', () => {
  it('200 lists the categories in order and 61 keys with their methods', async () => {
    const { status, body } = await api.get('/v1/consolidation/catalog');
    assert.equal(status, 200);
    assert.deepEqual(body.category_order, ['Activity', 'Energy', 'Body Composition', 'Sleep', 'Vitals', 'Nutrition']);
    assert.equal(body.metrics.length, 61);
    const { members, ...entry } = keyOf(body, 'sleep_stages');
    assert.deepEqual(entry, {
      key: 'sleep_stages',
      display_name: 'Sleep stages',
      category: 'Sleep',
      kind: 'group',
      default_method: 'priority',
      allowed_methods: ['priority', 'max', 'avg'],
    });
    assert.ok(members.includes('asleep'));
  });
});

describe('GET /v1/users/{id}/consolidation', () => {
  it('200 returns the effective state: connected providers, every key with its method', async () => {
    const { user } = await createTwoDevices();
    const { status, body } = await api.get(pathOf(user));
    assert.equal(status, 200);
    assert.deepEqual(body.providers, [
      { provider: 'health_connect', enabled: true },
      { provider: 'samsung_health', enabled: true },
    ]);
    assert.deepEqual(keyOf(body, 'steps'), {
      key: 'steps',
      category: 'Activity',
      default_method: 'merge',
      method: 'merge',
      overridden: false,
      providers: body.providers,
    });
  });

  it('404 user_not_found for a user of another environment and for an unknown one', async () => {
    const { user } = await createTwoDevices();
    for (const [key, id] of [
      [service.keys.sandbox, user.id],
      [service.keys.live, ABSENT_ID],
      [service.keys.live, 'x'],
    ] as const) {
      const { status, body } = await service.api(key).get(`/v1/users/${id}/consolidation`);
      assert.deepEqual([status, body.error], [404, 'user_not_found']);
    }
  });
});

describe('PATCH /v1/users/{id}/consolidation', () => {
  it('202 stores the setting, rebuilds the days, and emits an event', async () => {
    const { user } = await createTwoDevices();
    assert.equal(await readDay(user, 'steps'), 1300);
    const { status, body } = await api.patch(pathOf(user), { metrics: { steps: { method: 'max' } } });
    assert.deepEqual([status, body.status], [202, 'reconsolidating']);
    assert.deepEqual(
      [keyOf(body.configuration, 'steps').method, keyOf(body.configuration, 'steps').overridden],
      ['max', true],
    );
    assert.deepEqual((await api.get(pathOf(user))).body, body.configuration);
    await settles(user, 'steps', 1200);
    assert.deepEqual(await listEvents(user), ['subject.synced']);
    await api.patch(pathOf(user), { metrics: { steps: { method: 'sum' } } });
    await settles(user, 'steps', 2200);
    await api.patch(pathOf(user), { metrics: { steps: { method: null } } });
    await settles(user, 'steps', 1300);
    assert.equal(keyOf((await api.get(pathOf(user))).body, 'steps').overridden, false);
  });

  it('a provider disabled for a key is ignored there; one disabled everywhere loses its nights too', async () => {
    const { user } = await createTwoDevices();
    assert.equal(await readDay(user, 'asleep'), 450); // the ring ranks first at night
    await api.patch(pathOf(user), { metrics: { sleep_stages: { providers: { samsung_health: false } } } });
    await settles(user, 'asleep', 400);
    assert.equal(await readDay(user, 'steps'), 1300);
    const nights = async () =>
      (await api.get(`/v1/users/${user.id}/sleep?from_date=2026-03-09&to_date=2026-03-09`)).body.data.map(
        (night: { source: string }) => night.source,
      );
    assert.deepEqual(await nights(), ['samsung_health']);
    const off = await api.patch(pathOf(user), { providers: { samsung_health: false } });
    assert.equal(keyOf(off.body.configuration, 'weight').providers[1].enabled, false);
    await settles(user, 'steps', 1000);
    assert.deepEqual(await nights(), ['health_connect']);
    const series = await api.get(
      `/v1/users/${user.id}/timeseries?metrics=steps&start_date=2026-03-09&end_date=2026-03-09`,
    );
    assert.deepEqual(
      series.body.data.map((sample: { value: number }) => sample.value),
      [1000],
    );
    await api.patch(pathOf(user), { providers: { samsung_health: true, health_connect: false } });
    await settles(user, 'steps', 1200);
    const workouts = await api.get(`/v1/users/${user.id}/workouts?from_date=2026-03-09&to_date=2026-03-09`);
    assert.equal(workouts.body.data.length, 1, 'workouts do not change');
  });

  it('202 and an event that says whether a day lost a value', async () => {
    const { user } = await createTwoDevices();
    const { db } = service.running.services;
    const wasDeleted = async () => {
      const rows = await db.query<{ deleted: boolean }>(
        `select coalesce((body::jsonb ->> 'deleted')::boolean, false) as deleted from feed_events
          where user_id = $1 and type = 'subject.synced' order by position`,
        [user.id],
      );
      return rows.map(({ deleted }) => deleted);
    };
    const published = (count: number) => waitUntil('the event', async () => (await wasDeleted()).length === count);
    await api.patch(pathOf(user), { providers: { samsung_health: false } });
    await published(1);
    await api.patch(pathOf(user), { metrics: { steps: { providers: { health_connect: false } } } });
    await published(2);
    await api.patch(pathOf(user), { metrics: { steps: { providers: { health_connect: true } } } });
    await published(3);
    assert.deepEqual(await wasDeleted(), [false, true, false]);
  });

  it('a setting applies to later uploads', async () => {
    const { user, phone } = await createTwoDevices();
    await api.patch(pathOf(user), { metrics: { steps: { method: 'max' } } });
    await settles(user, 'steps', 1200);
    await phone.upload({ source: WATCH, samples: [steps('2026-03-09T20:00:00Z', '2026-03-09T20:15:00Z', 500)] });
    assert.equal(await readDay(user, 'steps'), 1500);
  });

  it('202 unchanged for the current settings, without a rebuild', async () => {
    const { user } = await createTwoDevices();
    const patch = { metrics: { steps: { providers: { health_connect: true } } } };
    const { status, body } = await api.patch(pathOf(user), patch);
    assert.deepEqual([status, body.status], [202, 'unchanged']);
    assert.deepEqual(await listEvents(user), []);
    assert.deepEqual((await api.get(pathOf(user))).body, body.configuration);
  });

  it('202 unchanged for several current settings, whatever their order in the database', async () => {
    const { user } = await createTwoDevices();
    const patch = { metrics: { distance: { method: 'max' }, steps: { method: 'max' } } };
    assert.equal((await api.patch(pathOf(user), patch)).body.status, 'reconsolidating');
    assert.equal((await api.patch(pathOf(user), patch)).body.status, 'unchanged');
    assert.equal((await api.patch(pathOf(user), { metrics: { height: { method: null } } })).body.status, 'unchanged');
  });

  it('changes before a rebuild starts cause one rebuild and one event', async (t) => {
    // Without a worker: on a busy machine a rebuild would start between two changes.
    const apiOnly = await startTestService({ role: 'api', clock: createFrozenClock(new Date('2026-03-10T12:00:00Z')) });
    t.after(() => apiOnly.stop());
    const { services } = apiOnly.running;
    const { user } = await createTwoDevices(apiOnly);
    for (const method of ['sum', 'avg', 'max', 'avg', 'sum'])
      await apiOnly.api().patch(pathOf(user), { metrics: { steps: { method } } });
    const jobs = await services.db.query<{ payload: Parameters<typeof rebuildUserJob.run>[1]; waitsMs: number }>(
      `select payload, extract(epoch from run_at - created_at)::float * 1000 as "waitsMs"
         from graphile_worker._private_jobs where payload->>'user_id' = $1`,
      [user.id],
    );
    assert.equal(jobs.length, 1);
    for (const { payload, waitsMs } of jobs) {
      assert.ok(waitsMs >= 500, 'later changes have time to join');
      await rebuildUserJob.run(services, payload);
    }
    assert.equal(await readDay(user, 'steps', apiOnly.api()), 2200);
    assert.deepEqual(await listEvents(user, services.db), ['subject.synced']);
  });

  it('emits nothing if another method gives the same values', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id, { platform: 'android' });
    const same = { samples: [steps('2026-03-09T08:00:00Z', '2026-03-09T08:15:00Z', 700)] };
    for (const source of [WATCH, RING]) await phone.upload({ source, ...same });
    await api.patch(pathOf(user), { metrics: { steps: { method: 'avg' } } });
    const path = `/v1/users/${user.id}/daily?metrics=steps&start_date=2026-03-09&end_date=2026-03-09&include_sources=true`;
    await waitUntil('both devices are named', async () => (await api.get(path)).body.data[0].sources?.length === 2);
    assert.equal(await readDay(user, 'steps'), 700);
    assert.deepEqual(await listEvents(user), []);
  });

  it('200 with preview=true returns what would change and changes nothing', async () => {
    const { user } = await createTwoDevices();
    const preview = await api.patch(`${pathOf(user)}?preview=true`, { metrics: { steps: { method: 'sum' } } });
    assert.equal(preview.status, 200);
    assert.deepEqual(preview.body, {
      changes: [{ metric: 'steps', date: '2026-03-09', from: 1300, to: 2200 }],
      days_changed: 1,
      truncated: false,
    });
    assert.equal(await readDay(user, 'steps'), 1300);
    assert.equal(keyOf((await api.get(pathOf(user))).body, 'steps').method, 'merge');
  });

  it('200 a preview of one key changes what a preview of all metrics changes', async () => {
    const sandbox = service.api(service.keys.sandbox);
    const user = await createUser(sandbox);
    const { providers, metrics } = (await sandbox.get(pathOf(user))).body;
    const enabled = Object.fromEntries(providers.map(({ provider }: JsonBody) => [provider, true])); // as they are
    const preview = async (change: object) => (await sandbox.patch(`${pathOf(user)}?preview=true`, change)).body;
    const keys = [
      'steps',
      'distance',
      'heart_rate',
      'resting_heart_rate',
      'sleep_stages',
      'sleep_vitals',
      'exercise_energy',
    ];
    let changes = 0;
    for (const key of keys) {
      const { method } = keyOf({ metrics }, key);
      for (const settings of [
        { method: method === 'priority' ? 'max' : 'priority' },
        { providers: { [providers[0].provider]: false } },
      ]) {
        const change = { metrics: { [key]: settings } };
        const narrow = await preview(change);
        assert.deepEqual(narrow, await preview({ ...change, providers: enabled }), JSON.stringify(change));
        changes += narrow.changes.length;
      }
    }
    assert.ok(changes > keys.length, `${changes} changes`);
  });

  it('200 with preview=true&scores=true also returns the scores that follow, and stores nothing', async () => {
    const sandbox = service.api(service.keys.sandbox);
    const user = await createUser(sandbox);
    const { db } = service.running.services;
    const readScores = async () => [
      await db.query('select * from scores where user_id = $1 order by date', [user.id]),
      await db.query('select * from scoring_queue where user_id = $1', [user.id]),
    ];
    const before = await readScores();
    const [{ provider } = { provider: '' }] = (await sandbox.get(pathOf(user))).body.providers;
    const { status, body } = await sandbox.patch(`${pathOf(user)}?preview=true&scores=true`, {
      providers: { [provider]: false },
    });
    assert.equal(status, 200);
    assert.equal(body.reason, null);
    assert.ok(body.days_changed > 0 && body.scores.length > 0);
    for (const { from, to } of body.scores) assert.notEqual(from, to);
    assert.deepEqual(await readScores(), before);
  });

  it('200 with scores=true returns every daily value that the change then changes, those computed with the scores too', async () => {
    const sandbox = service.api(service.keys.sandbox);
    const user = await createUser(sandbox);
    const readDays = async () =>
      (await sandbox.get(`/v1/users/${user.id}/daily?from_date=2026-02-25&to_date=2026-03-10`)).body;
    const before = await readDays();
    const change = { providers: { garmin: false } };
    const { body } = await sandbox.patch(`${pathOf(user)}?preview=true&scores=true`, change);
    const previewed = Map.groupBy(body.changes as JsonBody[], ({ metric }) => metric);
    assert.ok(previewed.has('steps') && previewed.has('waking_heart_rate'), [...previewed.keys()].join());
    const expected = Object.fromEntries(
      Object.entries<(number | null)[]>(before.series).map(([metric, values]) => [
        metric,
        values.map((value, index) => {
          const changed = previewed.get(metric)?.find(({ date }) => date === before.dates[index]);
          return changed ? changed.to : value;
        }),
      ]),
    );
    await sandbox.patch(pathOf(user), change);
    await waitUntil('the days are those of the preview', async () => {
      clock.advance(1_000); // scores follow a second after the rebuild
      return isDeepStrictEqual((await readDays()).series, expected);
    });
  });

  it('200 with scores=true says why nothing would change', async () => {
    const { user } = await createTwoDevices();
    const path = `${pathOf(user)}?preview=true&scores=true`;
    const reasonOf = async (change: object) => (await api.patch(path, { metrics: change })).body.reason;
    assert.equal(await reasonOf({ steps: { method: null } }), 'same_settings');
    assert.equal(await reasonOf({ weight: { method: 'max' } }), 'no_data');
  });

  it('rejects the whole request for one invalid entry', async () => {
    const { user } = await createTwoDevices();
    const before = (await api.get(pathOf(user))).body;
    const good = { steps: { method: 'max' } };
    const cases: [object, number, string][] = [
      [{}, 400, 'invalid_body'],
      [{ metrics: {} }, 400, 'invalid_body'],
      [{ metrics: { steps: {} } }, 400, 'invalid_body'],
      [{ metrics: { ...good, weight: { method: 'median' } } }, 400, 'invalid_body'],
      [{ metrics: { ...good, weight: { mehtod: 'max' } } }, 400, 'invalid_body'],
      [{ metrics: good, providers: { samsung_health: 'no' } }, 400, 'invalid_body'],
      [{ metrics: { ...good, asleep: { method: 'max' } } }, 422, 'invalid_metric'],
      [{ metrics: { ...good, nonsense: { method: null } } }, 422, 'invalid_metric'],
      [{ metrics: { ...good, weight: { method: 'sum' } } }, 422, 'invalid_method'],
      [{ metrics: { ...good, heart_rate: { method: 'merge' } } }, 422, 'invalid_method'],
      [{ metrics: good, providers: { oura: false } }, 422, 'invalid_provider'],
      [{ metrics: { steps: { method: 'max', providers: { apple_health: true } } } }, 422, 'invalid_provider'],
    ];
    for (const [body, status, error] of cases) {
      const answer = await api.patch(pathOf(user), body);
      assert.deepEqual([answer.status, answer.body.error], [status, error], JSON.stringify(body));
    }
    assert.deepEqual((await api.get(pathOf(user))).body, before);
  });
});

describe('DELETE /v1/users/{id}/consolidation', () => {
  it('202 restores the defaults, and is unchanged if they already apply', async () => {
    const { user } = await createTwoDevices();
    const first = (await api.get(pathOf(user))).body;
    await api.patch(pathOf(user), { metrics: { steps: { method: 'sum' } }, providers: { samsung_health: false } });
    await settles(user, 'steps', 1000);
    const { status, body } = await api.delete(pathOf(user));
    assert.deepEqual([status, body], [202, { status: 'reconsolidating', configuration: first }]);
    await settles(user, 'steps', 1300);
    assert.equal((await api.delete(pathOf(user))).body.status, 'unchanged');
  });
});
