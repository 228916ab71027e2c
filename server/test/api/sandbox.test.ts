// Tests sandbox users: a week of data and scores from the start, a new day every day, and scenarios.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { drawPerson, inputsOfDay, liveDay, ORDINARY_DAY } from '../../src/domain/sandbox/index.ts';
import { type DayInputs, SCORE_TYPES } from '../../src/domain/scores/index.ts';
import { addDays, type LocalDate, localDateAt } from '../../src/domain/time/calendar.ts';
import { createZone } from '../../src/domain/time/day.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time/durations.ts';
import { addSandboxDaysJob, findEndedSandboxDaysJob } from '../../src/features/sandbox/sandbox-users/index.ts';
import { assertEvery } from '../support/assert-every.ts';
import { runCli } from '../support/run-cli.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { readStoredEvents } from '../support/test-events.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount, createUser, newReference } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const NOW = new Date('2026-04-02T12:00:00Z');
const TODAY = '2026-04-02' as LocalDate;
const ZONE = 'Europe/Berlin'; // its clocks changed on March 29, within the week
const WEEK = Array.from({ length: 7 }, (_, days) => addDays(TODAY, days - 7));
const [FIRST, LAST] = [addDays(TODAY, -7), addDays(TODAY, -1)];

const service = await startTestService({ clock: createFrozenClock(NOW) });
after(() => service.stop());
const { db } = service.running.services;
const api = service.api(service.keys.sandbox);

async function getJson(path: string, form = '1'): Promise<JsonBody> {
  const answer = await api.get(path, { headers: { 'api-form': form } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

const everything = `start_date=${addDays(TODAY, -60)}&end_date=${TODAY}`;
type ScoreRow = { date: LocalDate } & Record<string, number | null>;
const readScores = (userId: string, other: TestService = service) =>
  other.running.services.db.query<ScoreRow>(
    `select date::text as date, ${SCORE_TYPES.join(', ')} from scores where user_id = $1 order by date`,
    [userId],
  );

describe('POST /v1/users with a sandbox key', async () => {
  const user = await createUser(api, { timezone: ZONE });
  const path = `/v1/users/${user.id}`;

  it('201 and data and scores are ready', () => {
    assert.deepEqual(
      [user.score_status, user.last_sync_at, user.last_score_at],
      ['ready', '2026-04-02T12:00:00Z', '2026-04-02T12:00:00Z'],
    );
  });

  it('connects a ring, a watch and a phone', async () => {
    const { data } = await getJson(`${path}/devices`);
    assert.deepEqual(
      data.map((device: JsonBody) => [device.provider, device.status, device.last_sync_at]),
      ['oura', 'garmin', 'apple_health'].map((provider) => [provider, 'active', '2026-04-02T12:00:00Z']),
    );
    const history = { state: 'done', from_date: FIRST };
    assert.deepEqual(
      data.map((device: JsonBody) => device.backfill),
      [history, history, undefined],
      'clouds report their backfill range, a phone does not',
    );
    const { data: detail } = await getJson(path);
    assert.equal(detail.sync.devices_active, 3);
  });

  it('both forms return the same seven days, and no earlier day', async () => {
    const metrics = 'steps,asleep,resting_heart_rate,total_calories,dietary_energy,protein,water';
    const from = addDays(TODAY, -60);
    const { data } = await getJson(`${path}/daily?start_date=${from}&end_date=${TODAY}&metrics=${metrics}`);
    const columns = await getJson(`${path}/daily?from_date=${from}&to_date=${TODAY}&types=${metrics}`, '2');
    for (const metric of metrics.split(',')) {
      const rows = data.filter((row: JsonBody) => row.metric === metric);
      assert.deepEqual(
        rows.map((row: JsonBody) => row.date),
        WEEK,
        metric,
      );
      const series = columns.series[metric];
      const reported = series.filter((value: number | null) => value !== null);
      assert.deepEqual(
        reported,
        rows.map((row: JsonBody) => row.value),
        metric,
      );
    }
  });

  it('devices disagree, and the day is consolidated from them', async () => {
    const explained = await Promise.all(
      WEEK.map((date) => getJson(`${path}/daily/explain?metric=steps&date=${date}`, '2')),
    );
    for (const { candidates } of explained) {
      const outcomes = candidates.map((one: JsonBody) => [one.device_class, one.outcome]);
      assert.deepEqual(outcomes, [
        ['phone', 'used'],
        ['wrist', 'partly_used'],
      ]);
    }
    const range = `from_date=${addDays(TODAY, -60)}&to_date=${TODAY}&limit=50`;
    const { data: sleeps } = await getJson(`${path}/sleep?${range}`, '2');
    const mains = sleeps.filter((sleep: JsonBody) => sleep.is_main_sleep);
    assert.deepEqual(mains.map((sleep: JsonBody) => sleep.date).sort(), WEEK);
    const duplicates = await db.query('select 1 from sleep_sessions where user_id = $1 and duplicate_of is not null', [
      user.id,
    ]);
    assert.ok(duplicates.length >= 4, 'the same nights of the watch');
  });

  it('workouts have a trace, and heart rate has a sample per minute', async () => {
    const { data: workouts } = await getJson(`${path}/workouts?${everything}`);
    assert.ok(workouts.length >= 1);
    const detail = await getJson(`${path}/workouts/${workouts[0].id}`);
    assert.ok(JSON.stringify(detail).length > 500);
    const query = `start_date=${LAST}&end_date=${LAST}&metrics=heart_rate`;
    const { data } = await getJson(`${path}/timeseries?${query}`);
    assert.ok(data.length > 700, `${data.length} readings`);
  });

  it('six scores on each of the seven days, none at an end of its scale', async () => {
    const rows = await readScores(user.id);
    assert.deepEqual(
      rows.map(({ date }) => date),
      WEEK,
    );
    for (const type of SCORE_TYPES) {
      const values = rows.map((row) => row[type]);
      assertEvery(
        values,
        (tenths) => tenths !== null && tenths !== undefined && tenths > 0 && tenths < 1_000,
        `${type} ${values}`,
      );
      assert.ok(new Set(values).size > 3, `${type} ${values}`);
    }
  });

  it('both forms return the scores', async () => {
    const { data } = await getJson(`${path}/scores`);
    assert.deepEqual(
      data.map((score: JsonBody) => [score.type, score.date]),
      SCORE_TYPES.map((type) => [type, LAST]),
    );
    const history = await getJson(`${path}/scores/history?${everything}`);
    assert.equal(history.data.length, WEEK.length * SCORE_TYPES.length);
    const columns = await getJson(`${path}/scores?from_date=${FIRST}&to_date=${TODAY}`, '2');
    const series: (number | null)[][] = Object.values(columns.series);
    assert.deepEqual(
      series.map((values) => values.filter((value) => value !== null).length),
      Array(5).fill(WEEK.length),
    );
  });

  it('emits the events of a user who connects three devices', async () => {
    const events = await readStoredEvents(db, user.id);
    assert.deepEqual(
      events.map(({ type }) => type),
      [...Array(3).fill('device.connected'), ...Array(3).fill('data.updated'), 'data.updated', 'score.updated'],
    );
    const scored = events.at(-1);
    assert.deepEqual([scored?.from_date, scored?.to_date], [FIRST, LAST]);
  });

  it('unlisted days give the same scores as days that went through the pipeline', async () => {
    const stored = await db.query<{ date: LocalDate; inputs: DayInputs; is_hidden: boolean }>(
      'select date::text as date, inputs, is_hidden from score_inputs where user_id = $1 order by date',
      [user.id],
    );
    assert.equal(stored.filter(({ is_hidden }) => is_hidden).length, 28);
    const listed = stored.filter(({ is_hidden }) => !is_hidden);
    const [person, zone] = [drawPerson(user.id), createZone(ZONE)];
    for (const { date, inputs } of listed) {
      const day = liveDay({ person, date, zone, storyOf: () => ORDINARY_DAY });
      const reported = inputsOfDay(day, { ring: 'sleep_rmssd/1', watch: 'sleep_rmssd/2' });
      assert.deepEqual(inputs.mainSleep, reported.mainSleep, date);
      assert.deepEqual(inputs.sleepIntervals, reported.sleepIntervals, date);
      assert.deepEqual(inputs.hrv[0], reported.hrv[0]);
      const exact = [
        'resting_heart_rate',
        'asleep',
        'sleep_midpoint',
        'sleep_respiratory_rate',
        'dietary_energy',
      ] as const;
      for (const metric of exact) assert.equal(inputs.values[metric], reported.values[metric], `${date} ${metric}`);
      assert.deepEqual(
        inputs.workouts.map(({ minutes, activeKcal }) => [minutes, activeKcal]),
        reported.workouts.map(({ minutes, activeKcal }) => [minutes, activeKcal]),
      );
      const near = (a: number, b: number, part: number) => Math.abs(a - b) <= part * Math.max(a, b);
      assert.ok(
        near(inputs.still.length, reported.still.length, 0.15),
        `${date} ${inputs.still.length} ${reported.still.length}`,
      );
      const bpm = (days: DayInputs) => days.still.reduce((sum, [, rate]) => sum + rate, 0) / days.still.length;
      assert.ok(Math.abs(bpm(inputs) - bpm(reported)) < 1, `${date} ${bpm(inputs)} ${bpm(reported)}`);
      assert.ok(near(inputs.values.steps ?? 0, reported.values.steps ?? 0, 0.06), `${date} steps`);
      // The hours of the last day after bedtime arrive with the night.
      const missing = date === LAST ? 0.12 : 0.01;
      const [computed, lived] = [inputs, reported].map(({ values }) => values.total_calories ?? 0) as [number, number];
      assert.ok(near(computed, lived, missing), `${date} total calories ${computed} ${lived} of user ${user.id}`);
    }
  });

  it('a live user has no generated data', async () => {
    const live = await createUser(service.api(), { timezone: ZONE });
    const { body } = await service.api().get(`/v1/users/${live.id}/devices`, { headers: { 'api-form': '1' } });
    assert.deepEqual([live.score_status, live.last_sync_at, body.data], ['calibrating', null, []]);
  });

  it('402 and 409 store nothing', async () => {
    const account = await createAccount(service);
    const limited = service.api(account.sandbox);
    const reference_id = newReference();
    assert.equal((await limited.post('/v1/users', { reference_id })).status, 201);
    assert.equal((await limited.post('/v1/users', { reference_id })).status, 409);
    const limit = { environment: 'sandbox', limit: 1 };
    const name = encodeURIComponent(account.name);
    assert.equal((await service.operator().put(`/admin/accounts/${name}/user-limit`, limit)).status, 200);
    assert.equal((await limited.post('/v1/users', { reference_id: newReference() })).status, 402);
    const persons = await db.query('select 1 from sandbox_people where account_id = $1', [account.id]);
    assert.equal(persons.length, 1);
  });

  it('deletes everything with the user', async () => {
    const other = await createUser(api);
    assert.equal((await api.delete(`/v1/users/${other.id}`)).status, 202);
    for (const table of ['sandbox_people', 'scores', 'score_inputs', 'sample_blocks', 'sleep_sessions', 'devices'])
      await waitUntil(
        `nothing in ${table}`,
        async () => (await db.query(`select 1 from ${table} where user_id = $1 limit 1`, [other.id])).length === 0,
      );
  });
});

describe('days that end', () => {
  const clock = createFrozenClock(NOW);
  let other: TestService;
  const start = async () => {
    other ??= await startTestService({ clock, role: 'api' });
    return other;
  };
  after(() => other?.stop());
  const readDates = async (userId: string) => (await readScores(userId, other)).map(({ date }) => date);
  const passDays = async (userId: string, accountId: string) => {
    const { services } = other.running;
    await findEndedSandboxDaysJob.run(services, {} as never);
    const queued = await services.db.query(
      `select 1 from graphile_worker.jobs where task_identifier = 'add_sandbox_days' and key like '%' || $1`,
      [userId],
    );
    await addSandboxDaysJob.run(services, { user_id: userId, account_id: accountId } as never);
    return queued.length;
  };

  it('are added once, each with its scores, up to seven after a pause', async () => {
    await start();
    const account = await createAccount(other);
    const user = await createUser(other.api(account.sandbox), { timezone: ZONE });
    const pass = () => passDays(user.id, account.id);
    assert.equal(await pass(), 0, 'no day has ended');
    assert.deepEqual(await readDates(user.id), WEEK);

    clock.advance(10.5 * HOUR_MS); // 22:30 UTC: the day has ended in Berlin
    assert.equal(await pass(), 1);
    assert.deepEqual(await readDates(user.id), [...WEEK, TODAY]);
    const revision = () => other.running.services.db.query('select data_revision from users where id = $1', [user.id]);
    const before = await revision();
    await pass();
    assert.deepEqual(await revision(), before, 'a second run finds nothing to do');

    clock.advance(10 * DAY_MS);
    await pass();
    const dates = await readDates(user.id);
    assert.deepEqual(
      dates.slice(8),
      Array.from({ length: 7 }, (_, days) => addDays(TODAY, days + 4)),
    );
    const scores = (await readScores(user.id, other)).at(-1);
    assertEvery(SCORE_TYPES, (type) => (scores?.[type] ?? null) !== null, JSON.stringify(scores));
  });

  it('follow the clock of a new time zone', async () => {
    await start();
    const account = await createAccount(other);
    clock.advance(13.5 * HOUR_MS); // noon again
    const today = localDateAt(clock.now().getTime(), ZONE);
    const user = await createUser(other.api(account.sandbox), { timezone: 'America/New_York' });
    assert.equal((await other.api(account.sandbox).patch(`/v1/users/${user.id}`, { timezone: ZONE })).status, 200);
    clock.advance(10.5 * HOUR_MS); // 22:30 UTC: the day has ended in Berlin, not in New York
    await passDays(user.id, account.id);
    assert.equal((await readDates(user.id)).at(-1), today);
  });

  it('do not bring back a disconnected device', async () => {
    await start();
    const account = await createAccount(other);
    const sandbox = other.api(account.sandbox);
    const user = await createUser(sandbox, { timezone: ZONE });
    const list = async () => (await sandbox.get(`/v1/users/${user.id}/devices`)).body.data;
    for (const device of await list())
      if (device.provider !== 'garmin')
        assert.equal((await sandbox.delete(`/v1/users/${user.id}/devices/${device.id}`)).status, 204);
    clock.advance(DAY_MS);
    await passDays(user.id, account.id);
    assert.deepEqual(
      (await list()).map(({ provider }: JsonBody) => provider),
      ['garmin'],
    );
  });
});

describe('a requested sync', () => {
  it('202 for ring and watch: ended days arrive at once, and a repetition adds nothing; 409 for the phone', async () => {
    const clock = createFrozenClock(NOW);
    const other = await startTestService({ clock });
    after(() => other.stop());
    const otherApi = other.api(other.keys.sandbox);
    const { id } = await createUser(otherApi, { timezone: ZONE });
    const { data } = (await otherApi.get(`/v1/users/${id}/devices`)).body;
    const [ring, watch, phone] = data.map((device: JsonBody) => `/v1/users/${id}/devices/${device.id}/sync`);
    const countDays = async () => (await readScores(id, other)).length;
    clock.advance(DAY_MS);
    const requested = await otherApi.post(ring);
    assert.deepEqual([requested.status, requested.body], [202, { device_id: data[0].id, status: 'syncing' }]);
    await waitUntil('the day that has ended', async () => (await countDays()) === 8);
    const before = await readStoredEvents(other.running.services.db, id);
    assert.equal((await otherApi.post(watch)).status, 202);
    const jobs = `select 1 from graphile_worker.jobs where task_identifier = 'add_sandbox_days'`;
    await waitUntil('its end', async () => (await other.running.services.db.query(jobs)).length === 0);
    assert.deepEqual(await readStoredEvents(other.running.services.db, id), before);
    const refused = await otherApi.post(phone);
    assert.deepEqual(
      [refused.status, refused.body.error, refused.body.details],
      [409, 'device_not_syncable', { status: 'active' }],
    );
  });
});

describe('scenarios', () => {
  const runScenario = async (name: string, userId: string) => {
    const answer = await service.operator().post('/admin/sandbox/scenarios', { user_id: userId, name });
    assert.equal(answer.status, 200, answer.text);
    for (const path of answer.body.look_at)
      assert.equal((await api.get(path, { headers: { 'api-form': '1' } })).status, 200, path);
    return answer.body;
  };
  const newUser = () => createUser(api, { timezone: ZONE });
  const listWorkouts = (userId: string, date: string) =>
    getJson(`/v1/users/${userId}/workouts?start_date=${date}&end_date=${date}`).then(({ data }) => data);
  const dailyOf = async (userId: string, metric: string): Promise<Map<string, number>> => {
    const { data } = await getJson(`/v1/users/${userId}/daily?${everything}&metrics=${metric}`);
    return new Map(data.map((row: JsonBody) => [row.date, row.value]));
  };

  it('two-devices: one run from two records, and steps are not doubled', async () => {
    const { id } = await newUser();
    await runScenario('two-devices', id);
    const [run, ...others] = await listWorkouts(id, LAST);
    assert.deepEqual([run?.sport_type, others.length], ['running', 0]);
    const stored = await db.query('select duplicate_of from workouts where user_id = $1 and date = $2', [id, LAST]);
    assert.equal(stored.length, 2);
    const { candidates, value } = await getJson(`/v1/users/${id}/daily/explain?metric=steps&date=${LAST}`, '2');
    const totals: number[] = candidates.flatMap((one: JsonBody) => one.original_value ?? []);
    assert.equal(totals.length, 2);
    assert.ok(value <= 1.02 * Math.max(...totals), `${value} of ${totals}`);
  });

  it('gap: three days with only the phone', async () => {
    const { id } = await newUser();
    const reported = await runScenario('gap', id);
    assert.deepEqual([reported.from_date, reported.to_date], [addDays(TODAY, -3), LAST]);
    assert.deepEqual([...(await dailyOf(id, 'asleep')).keys()], WEEK.slice(0, 4));
    assert.deepEqual([...(await dailyOf(id, 'steps')).keys()], WEEK);
    const rows = await readScores(id);
    assert.deepEqual(
      rows.filter((row) => row.recovery_score !== null).map(({ date }) => date),
      WEEK.slice(0, 4),
    );
  });

  it('illness: recovery falls', async () => {
    const { id } = await newUser();
    const before = await readScores(id);
    await runScenario('illness', id);
    const after = await readScores(id);
    const mean = (rows: readonly ScoreRow[]) =>
      rows.slice(3).reduce((sum, row) => sum + (row.recovery_score ?? 0), 0) / 4;
    assert.ok(mean(after) < mean(before) - 30, `${mean(before)} ${mean(after)}`);
    const deviation = await dailyOf(id, 'sleep_temperature_deviation');
    assert.deepEqual([...deviation.keys()].slice(-4), WEEK.slice(3), 'in every night');
    assert.ok((deviation.get(addDays(TODAY, -3)) ?? 0) > 0.5);
    assertEvery(after, (row) => row.stress_score !== null);
  });

  it('travel: the phone reports its zone, the profile stays, nights move', async () => {
    const { id } = await newUser();
    const reported = await runScenario('travel', id);
    const [phone] = await db.query<{ observed_zone: string }>(
      `select observed_zone from devices where user_id = $1 and provider = 'apple_health'`,
      [id],
    );
    assert.equal(phone?.observed_zone, 'Asia/Tokyo');
    assert.ok(reported.did.some((sentence: string) => sentence.includes('Asia/Tokyo')));
    assert.equal((await getJson(`/v1/users/${id}`)).data.timezone, ZONE);
    const { data } = await getJson(`/v1/users/${id}/sleep?${everything}`);
    const hours = data.map((sleep: JsonBody) => new Date(sleep.start).getUTCHours());
    assert.ok(
      hours.some((hour: number) => hour >= 11 && hour <= 18),
      `a night in Tokyo begins during the day: ${hours}`,
    );
  });

  it('late-data: missing, then present, each with its events', async () => {
    const { id } = await newUser();
    const known = (await readStoredEvents(db, id)).length;
    const reported = await runScenario('late-data', id);
    const date = addDays(TODAY, -3);
    assert.deepEqual([reported.from_date, reported.to_date], [date, LAST]);
    assert.deepEqual([...(await dailyOf(id, 'asleep')).keys()], WEEK);
    assert.equal((await listWorkouts(id, date)).length, 1);
    const events = (await readStoredEvents(db, id)).slice(known).map(({ type }) => type);
    assert.equal(events.filter((type) => type === 'score.updated').length, 2);
    assert.ok(events.filter((type) => type === 'data.updated').length >= 5);
  });

  it('run one after the other, and keep uploaded data', async () => {
    const { id } = await newUser();
    const phone = await startPhone(service, id, { key: service.keys.sandbox });
    await phone.upload({ samples: [{ metric: 'weight', start: `${LAST}T06:00:00Z`, value: 99 }] });
    for (const name of ['travel', 'illness', 'gap', 'two-devices']) await runScenario(name, id);
    const { candidates } = await getJson(`/v1/users/${id}/daily/explain?metric=weight&date=${LAST}`, '2');
    assert.ok(candidates.some((one: JsonBody) => one.original_value === 99));
    const workouts = await listWorkouts(id, LAST);
    assert.deepEqual(
      workouts.map((one: JsonBody) => one.sport_type),
      ['running'],
    );
  });

  it('recreate the last day with an evening after a move', async () => {
    for (const timezone of ['America/New_York', 'Asia/Tokyo']) {
      const { id } = await newUser();
      assert.equal((await api.patch(`/v1/users/${id}`, { timezone })).status, 200);
      const reported = await runScenario('two-devices', id);
      const runs = (await listWorkouts(id, reported.to_date)).filter((one: JsonBody) => one.sport_type === 'running');
      assert.ok(runs.length > 0, `${timezone}: no run on ${reported.to_date}`);
    }
  });

  it('reject a user without devices', async () => {
    const { id } = await newUser();
    const { data } = await getJson(`/v1/users/${id}/devices`);
    for (const device of data) assert.equal((await api.delete(`/v1/users/${id}/devices/${device.id}`)).status, 204);
    const refused = await service.operator().post('/admin/sandbox/scenarios', { user_id: id, name: 'illness' });
    assert.deepEqual([refused.status, /no longer has any of the sandbox devices/.test(refused.text)], [400, true]);
  });

  it('reject live users, unknown users and unknown scenarios', async () => {
    const live = await createUser(service.api());
    const operator = service.operator();
    const refused = await operator.post('/admin/sandbox/scenarios', { user_id: live.id, name: 'gap' });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /is a live user/);
    assert.equal((await operator.post('/admin/sandbox/scenarios', { user_id: ABSENT_ID, name: 'gap' })).status, 404);
    const unknown = await operator.post('/admin/sandbox/scenarios', { user_id: live.id, name: 'party' });
    assert.equal(unknown.status, 400);
    assert.match(unknown.text, /two-devices/);
  });

  it('tributary sandbox scenario prints what it did and where to look', async () => {
    const { id } = await newUser();
    const { code, stdout, stderr } = await runCli(service, ['sandbox', 'scenario', '--user', id, '--name', 'illness']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, new RegExp(`a fever[^]*GET /v1/users/${id}/daily\\?start_date=${addDays(TODAY, -4)}`));
    const live = await createUser(service.api());
    const refused = await runCli(service, ['sandbox', 'scenario', '--user', live.id, '--name', 'gap']);
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /live user; scenarios are only for sandbox users/);
    const unknown = await runCli(service, ['sandbox', 'scenario', '--user', id, '--name', 'party']);
    assert.match(unknown.stderr, /Allowed choices are two-devices, gap, travel, illness, late-data/);
    const help = await runCli(service, ['sandbox', 'scenario', '--help']);
    assert.match(help.stdout, /late-data {5}a night and a run/);
  });
});
