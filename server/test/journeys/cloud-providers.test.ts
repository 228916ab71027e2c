// A user connects each of the providers: from the API call to values, scores and events, and to the deletion.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { CloudProviderId } from '../../src/domain/provider-ids.ts';
import { addDays, type LocalDate } from '../../src/domain/time/calendar.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { findProvider } from '../../src/providers/registry.ts';
import { livedOn } from '../support/lived-days.ts';
import { passArrival } from '../support/pass-arrival.ts';
import { holdToken } from '../support/request-simulator.ts';
import { type CloudUser, HISTORY_LIMIT_MS, openSandboxClouds } from '../support/sandbox-clouds.ts';
import { isWatchWornAllNight, nightsSeenBy, stepsSeenBy, workoutsSeenBy } from '../support/simulated-life.ts';
import type { JsonBody } from '../support/test-api.ts';
import { readStoredEvents } from '../support/test-events.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSink } from '../support/webhook-sink.ts';

const DAYS = 7;
const HALF_HOUR_MS = 30 * MINUTE_MS;
const clouds = await openSandboxClouds(DAYS);
const LAST = clouds.today();
const DATES = Array.from({ length: DAYS }, (_, index) => addDays(LAST, index + 1 - DAYS));
const [FIRST, YESTERDAY] = [addDays(LAST, 1 - DAYS), addDays(LAST, -1)];
const RANGE = `start_date=${FIRST}&end_date=${LAST}`;
const RANGE_2 = `from_date=${FIRST}&to_date=${LAST}`;

const { api, service, read } = clouds;
const { services } = service.running;
const sink = await startSink();
after(async () => {
  await service.stop();
  await sink.close();
});
const hook = await api.post('/v1/webhooks', { url: sink.url('/all'), events: ['*'] });
assert.equal(hook.status, 201, hook.text);
await services.db.query('update accounts set keep_routes = true');

type Journey = {
  /** By the days that have them; without any, the provider has workouts only. */
  readonly metrics: Readonly<Partial<Record<MetricDays, readonly string[]>>>;
  /** Null: it has none. */
  readonly series: string | null;
  /** It has no data of days and nights, or only in parts that the operator must enable. */
  readonly isWorkoutsOnly?: true;
};

type MetricDays = 'everyDay' | 'pastDays' | 'afterNights' | 'afterWholeNights';

/** Of the seven days, those with a value; a night belongs to the day on which it ends. */
const DATES_OF: Readonly<Record<MetricDays, (provider: CloudProviderId, account: string) => readonly LocalDate[]>> = {
  everyDay: () => DATES,
  pastDays: () => DATES.filter((date) => date !== LAST),
  afterNights: (provider, account) => DATES.filter((date) => hasNight(provider, account, date)),
  afterWholeNights: (_, account) => DATES.filter((date) => isWatchWornAllNight(account, date)),
};

/** These two are asked for the nights that begin in the history. */
const FETCHED_BY_START: readonly CloudProviderId[] = ['whoop', 'suunto'];

function hasNight(provider: CloudProviderId, account: string, date: LocalDate): boolean {
  const { fromMs } = livedOn(account, FIRST);
  return nightsSeenBy(provider, account, date).some(
    ({ start }) => !FETCHED_BY_START.includes(provider) || Date.parse(start) >= fromMs,
  );
}

function expectDates(provider: CloudProviderId, account: string): Map<string, readonly LocalDate[]> {
  const groups = Object.entries(JOURNEYS[provider].metrics) as [MetricDays, readonly string[]][];
  return new Map(
    groups.flatMap(([days, metrics]) => metrics.map((metric) => [metric, DATES_OF[days](provider, account)])),
  );
}

const words = (text: string) => text.trim().split(/\s+/);
const JOURNEYS: Readonly<Record<CloudProviderId, Journey>> = {
  oura: {
    metrics: {
      everyDay: words(`steps active_calories resting_energy light_activity sedentary_time average_met heart_rate
        heart_rate_variability_rmssd`),
      afterNights: words('sleep_heart_rate_min sleep_temperature_deviation'),
    },
    series: 'heart_rate',
  },
  whoop: {
    metrics: {
      afterNights: words(`resting_heart_rate heart_rate_variability_rmssd blood_oxygen skin_temperature heart_rate
        total_calories awakenings`),
    },
    series: null,
  },
  withings: {
    metrics: { everyDay: words('steps distance active_calories resting_energy light_activity heart_rate') },
    series: 'heart_rate',
  },
  garmin: {
    metrics: {
      everyDay: words('steps distance active_calories resting_energy heart_rate stress_time_rest'),
      afterWholeNights: ['resting_heart_rate'],
    },
    series: 'heart_rate',
  },
  polar: {
    metrics: {
      everyDay: words(`steps distance active_calories resting_energy active_minutes sedentary_time heart_rate
        light_activity moderate_activity vigorous_activity`),
    },
    series: 'heart_rate',
  },
  google_health: {
    metrics: {
      everyDay: words('steps distance active_calories resting_energy sedentary_time heart_rate'),
      afterWholeNights: ['resting_heart_rate'],
    },
    series: 'heart_rate',
  },
  strava: { metrics: {}, series: null },
  ultrahuman: {
    metrics: {
      everyDay: words('steps heart_rate skin_temperature active_minutes blood_glucose'),
      afterNights: ['resting_heart_rate'],
    },
    series: 'heart_rate',
  },
  concept2: { metrics: {}, series: null },
  suunto: {
    metrics: { everyDay: words('steps heart_rate'), afterNights: ['sleep_heart_rate_min'] },
    series: 'heart_rate',
  },
  wahoo: { metrics: {}, series: null },
  dexcom: {
    metrics: { everyDay: ['blood_glucose'], pastDays: words('glucose_time_in_range glucose_variability') },
    series: 'blood_glucose',
  },
  coros: { metrics: {}, series: null, isWorkoutsOnly: true },
};

describe('a journey with', { concurrency: true }, () => {
  for (const provider of Object.keys(JOURNEYS) as CloudProviderId[]) it(provider, () => travel(provider));
});

it('the log has no warning or error', () => {
  assert.deepEqual(clouds.listAlarms(), []);
});

function listWorkouts(account: string) {
  return DATES.flatMap((date) => workoutsSeenBy(account, date, services.clock.now()));
}

/** A ring measures the variability of the heart rate in the nights that it is worn, which can begin on the day before. */
function isAsleepOn(account: string, date: LocalDate): boolean {
  const beforeMidnight = livedOn(account, date).toMs - HALF_HOUR_MS;
  const next = date === LAST ? [] : nightsSeenBy('oura', account, addDays(date, 1));
  return nightsSeenBy('oura', account, date).length > 0 || next.some(({ start }) => Date.parse(start) < beforeMidnight);
}

async function travel(provider: CloudProviderId): Promise<void> {
  // Not every week has a workout with a route.
  const userId = await clouds.createUser(
    (seed) => listWorkouts(seed).some(({ isOutdoors }) => isOutdoors) && DATES.every((date) => isAsleepOn(seed, date)),
  );
  const isPushed = findProvider(provider)?.backfill !== undefined;
  const person = isPushed ? await connectAndPush(userId, provider) : await clouds.connect(userId, provider);
  await checkBackfilled(provider, person);
  await clouds.awaitHistory(person);
  const device = await clouds.device(person);
  assert.deepEqual([device.status, device.backfill], ['active', { state: 'done', from_date: FIRST }]);

  const path = `/v1/users/${userId}`;
  const source = { provider, device_id: person.deviceId };
  await checkDays(provider, path, person);
  const { hasSleep: mayHaveSleep, hasWorkouts, oauth } = findProvider(provider) ?? assert.fail(provider);
  const hasSleep = mayHaveSleep && !JOURNEYS[provider].isWorkoutsOnly;
  assert.ok(hasSleep || hasWorkouts || expectDates(provider, person.account).size > 0, 'its journey has no metrics');
  if (hasSleep) await checkNights(provider, path, person, source);
  if (hasWorkouts) await checkWorkouts(path, person, source);
  await checkZones(provider, path);
  await checkSeries(provider, path, source);
  if (hasSleep) await checkScores(path);
  if (HAVE_ROUTES.includes(provider)) await checkRoutes(path, person);
  await checkEvents(userId, person.deviceId, hasSleep);

  const requested = await api.post(`${path}/devices/${person.deviceId}/sync`);
  assert.deepEqual([requested.status, requested.body], [202, { device_id: person.deviceId, status: 'syncing' }]);

  const requestWithToken = await holdToken(services, provider, person);
  assert.equal(await requestWithToken(), 'taken');
  assert.equal((await api.delete(`${path}/devices/${person.deviceId}`)).status, 204);
  await checkGone(path, userId);
  if (oauth.revokeRequest === null && oauth.revokeSteps === undefined) return;
  await waitUntil('its token is rejected', async () => (await requestWithToken()) === 'refused', 30_000);
}

/** Pushed history arrives after all of it was requested. */
async function connectAndPush(userId: string, provider: CloudProviderId): Promise<CloudUser> {
  const letGo = await clouds.fault({ kind: 'late_push', provider });
  const person = await clouds.connect(userId, provider);
  const { db } = services;
  const isRequested = async () =>
    (await db.query(`select 1 from sync_tasks where device_id = $1 and kind = 'history'`, [person.deviceId])).length ===
    0;
  await waitUntil('everything was requested', isRequested, 30_000);
  assert.deepEqual((await clouds.device(person)).backfill, { state: 'running', from_date: null });
  const reported = await readStoredEvents(db, userId);
  assert.deepEqual(
    reported.map(({ type }) => type),
    ['device.connected'],
  );
  await letGo();
  await clouds.push();
  return person;
}

/** The history is readable when its event is emitted, and the data was reported before. */
async function checkBackfilled(provider: CloudProviderId, { userId, deviceId, account }: CloudUser): Promise<void> {
  const wasReported = async () => {
    await passArrival(services, clouds.clock, deviceId);
    const events = await clouds.events(userId);
    return events.some((event) => event.event_type === 'device.backfilled') ? events : null;
  };
  const events = await waitUntil('device.backfilled', wasReported, HISTORY_LIMIT_MS);
  const position = events.findIndex((event) => event.event_type === 'device.backfilled');
  const isReported = ({ event_type, device_id }: JsonBody) => event_type === 'data.updated' && device_id !== null; // not computed
  const before = events.slice(0, position).filter(isReported);
  assert.ok(before.length > 0, 'device.backfilled came before data.updated');
  for (const event of before) assert.equal(event.device_id, deviceId);
  const expected = expectDates(provider, account);
  if (expected.size === 0) return;
  const { data: rows } = await read(`/v1/users/${userId}/daily?${RANGE}&metrics=${[...expected.keys()]}`);
  for (const [metric, dates] of expected) assert.deepEqual(datesOf(rows, metric), dates, `${metric} when backfilled`);
  const missing = DATES.filter(
    (date) => !before.some(({ from_date, to_date }) => from_date <= date && date <= to_date),
  );
  const unreported = missing.filter((date) => [...expected.values()].some((dates) => dates.includes(date)));
  assert.deepEqual(unreported, [], 'not reported before');
}

function datesOf(rows: readonly JsonBody[], metric: string): LocalDate[] {
  return rows.filter((row) => row.metric === metric).map(({ date }) => date);
}

type Source = { readonly provider: string; readonly device_id: string };
type Person = { readonly account: string; readonly deviceId: string };

/** The declared coverage is present, from that device, with the true values, and in both forms. */
async function checkDays(provider: CloudProviderId, path: string, { account, deviceId }: Person): Promise<void> {
  const { data: providers } = await read('/v1/providers');
  const covered: readonly string[] = providers.find((one: JsonBody) => one.provider === provider).metrics;
  const { data: rows } = await read(`${path}/daily?${RANGE}&include_sources=true`);
  const given = rows.filter((row: JsonBody) => row.source.device_id === deviceId).map((row: JsonBody) => row.metric);
  assert.deepEqual(
    [...new Set(given)].filter((metric) => !covered.includes(metric as string)),
    [],
    'only these',
  );
  const sums = rows.filter((row: JsonBody) => row.metric === 'total_calories' && row.source.device_id === null);
  for (const row of rows) // a sum of parts has no device
    if (covered.includes(row.metric) && !sums.includes(row))
      assert.equal(row.source.device_id, deviceId, `${row.metric} of ${row.date}`);
  const expected = expectDates(provider, account);
  for (const [metric, dates] of expected) {
    assert.ok(covered.includes(metric), metric);
    assert.deepEqual(datesOf(rows, metric), dates, metric);
  }
  const yesterdays = (metric: string) =>
    rows.find((row: JsonBody) => row.metric === metric && row.date === YESTERDAY)?.value;
  const hasSteps = covered.includes('steps') && !JOURNEYS[provider].isWorkoutsOnly;
  if (hasSteps) assert.equal(yesterdays('steps'), stepsSeenBy(provider, account, YESTERDAY));
  if (expected.size === 0) return;
  const columns = await read(`${path}/daily?${RANGE_2}&types=${[...expected.keys()]}`, '2');
  for (const metric of expected.keys())
    assert.equal(columns.series[metric][DAYS - 2], yesterdays(metric) ?? null, `${metric} in Form 2`);
}

async function checkNights(provider: CloudProviderId, path: string, { account }: Person, source: Source) {
  const { data: sleeps } = await read(`${path}/sleep?${RANGE}&include_sources=true`);
  // The night before the first day begins outside the range, where some providers count it.
  const seen = DATES.slice(1).flatMap((date) => nightsSeenBy(provider, account, date));
  if (findProvider(provider)?.hasSleep !== true) return assert.deepEqual(sleeps, []);
  const nights = sleeps.filter((one: JsonBody) => one.date > FIRST && !isNap(one));
  assert.deepEqual(
    nights.map((one: JsonBody) => one.start).sort(),
    seen.map(({ start }) => start),
    'these nights only',
  );
  for (const { start, end, asleepMinutes, deepMinutes } of seen) {
    const night = sleeps.find((one: JsonBody) => one.start === start) ?? assert.fail(`no night from ${start}`);
    assert.deepEqual(
      [night.end, night.asleep, night.deep_sleep, night.source],
      [end, asleepMinutes, deepMinutes, source],
    );
  }
  const { data: sessions } = await read(`${path}/sleep?${RANGE_2}&limit=100`, '2');
  assert.deepEqual(
    sessions.map((one: JsonBody) => [one.source, one.asleep_minutes, one.deep_minutes]),
    sleeps.map((one: JsonBody) => [provider, one.asleep, one.deep_sleep]),
    'Form 2',
  );
}

/** Naps of simulated users take less than an hour, and nights more than three. */
function isNap({ start, end }: JsonBody): boolean {
  return Date.parse(end) - Date.parse(start) < HOUR_MS;
}

async function checkWorkouts(path: string, { account }: Person, source: Source): Promise<void> {
  const { data: workouts } = await read(`${path}/workouts?${RANGE}&include_sources=true&per_page=100`);
  for (const { start, end } of listWorkouts(account)) {
    const reported = workouts.filter((one: JsonBody) => one.start === start);
    assert.deepEqual(
      reported.map((one: JsonBody) => [one.end, one.source]),
      [[end, source]],
      start,
    );
  }
  const { data: sessions } = await read(`${path}/workouts?${RANGE_2}&limit=100`, '2');
  assert.equal(sessions.length, workouts.length);
}

/**
 * Where a provider gives no trace, its reported zones are those of the workout and add up to those of the day. Some providers
 * report the zones of days, which include the time between workouts.
 */
const ZONES_FROM: Readonly<Partial<Record<CloudProviderId, string>>> = {
  whoop: 'source',
  withings: 'source_approximate',
  google_health: 'source_approximate',
};

const COUNT_WHOLE_DAYS: readonly CloudProviderId[] = ['withings', 'google_health'];

async function checkZones(provider: CloudProviderId, path: string): Promise<void> {
  const from = ZONES_FROM[provider];
  if (from === undefined) return;
  const { data: workouts } = await read(`${path}/workouts?${RANGE}&include_sources=true&per_page=100`);
  const { data: rows } = await read(`${path}/daily?${RANGE}&metrics=heart_rate_zone_3_time,workout_count`);
  assert.ok(workouts.length > 0, 'a week without a workout would prove nothing');
  for (const { start, heart_rate_zones_from } of workouts) assert.equal(heart_rate_zones_from, from, start);
  const sumOf = (metric: string) =>
    rows.filter((row: JsonBody) => row.metric === metric).reduce((sum: number, row: JsonBody) => sum + row.value, 0);
  assert.equal(sumOf('workout_count'), workouts.length);
  const inZone3 = workouts.reduce((sum: number, one: JsonBody) => sum + one.heart_rate_zones.zone_3, 0);
  const beside = sumOf('heart_rate_zone_3_time') - inZone3;
  const rounding = workouts.length / 2; // whole minutes per day
  if (!COUNT_WHOLE_DAYS.includes(provider)) return assert.ok(Math.abs(beside) <= rounding, `${beside} min`);
  // Days are counted by minute and workouts by a few seconds, so a heart rate near the border of a zone counts differently.
  const minutes = workouts.reduce(
    (sum: number, one: JsonBody) => sum + (Date.parse(one.end) - Date.parse(one.start)) / 60_000,
    0,
  );
  assert.ok(beside >= -rounding - minutes / 10, `${beside} of ${minutes} min`);
}

async function checkSeries(provider: CloudProviderId, path: string, source: Source): Promise<void> {
  const { series } = JOURNEYS[provider];
  const range = `start_date=${YESTERDAY}&end_date=${YESTERDAY}`;
  const metric = series ?? 'heart_rate';
  const { data: points } = await read(`${path}/timeseries?metrics=${metric}&${range}&include_sources=true`);
  if (series === null) return assert.deepEqual(points, []);
  assert.ok(points.length > 50, `${points.length} points`);
  for (const { source: of } of points)
    assert.deepEqual([of.provider, of.device_id], [source.provider, source.device_id]);
}

const HAVE_ROUTES: readonly CloudProviderId[] = ['garmin', 'suunto', 'wahoo'];

async function checkRoutes(path: string, { account, deviceId }: Person): Promise<void> {
  const { data: workouts } = await read(`${path}/workouts?${RANGE}&per_page=100`);
  const details = await Promise.all(
    workouts.map(({ id }: JsonBody) => read(`${path}/workouts/${id}?include=route,laps`)),
  );
  const withRoute = details.filter(({ route }) => route !== null);
  const starts = withRoute.map(({ start }) => start);
  for (const { start, isOutdoors } of listWorkouts(account)) assert.ok(!isOutdoors || starts.includes(start), start);
  for (const { route } of withRoute) assert.deepEqual([route.device_id, route.points.length > 1], [deviceId, true]);
}

async function checkScores(path: string): Promise<void> {
  const scored = await waitUntil(
    'scores',
    async () => {
      const { data } = await read(`${path}/scores/history?${RANGE}&types=sleep_score`);
      return data.length >= DAYS - 2 ? data : null;
    },
    HISTORY_LIMIT_MS,
  );
  const { data: nights } = await read(`${path}/daily?${RANGE}&metrics=asleep`);
  const dates = nights.map((row: JsonBody) => row.date);
  for (const { date, value } of scored) {
    assert.ok(dates.includes(date), `a score without a night on ${date}`);
    assert.ok(value > 0 && value <= 100);
  }
}

async function checkEvents(userId: string, deviceId: string, isScored: boolean): Promise<void> {
  await waitUntil('nothing is left to publish', () => hasPublished(userId));
  const events = await clouds.events(userId);
  const types: string[] = events.map((event) => event.event_type);
  assert.equal(types[0], 'device.connected');
  const expected = ['data.updated', 'device.backfilled', 'device.connected', ...(isScored ? ['score.updated'] : [])];
  assert.deepEqual(
    expected.filter((type) => !types.includes(type)),
    [],
  );
  assert.deepEqual(
    types.filter((type) => ![...expected, 'score.updated'].includes(type)),
    [],
  );
  for (const type of ['device.connected', 'device.backfilled'])
    assert.deepEqual(
      events.filter((event) => event.event_type === type).map((event) => event.device_id),
      [deviceId],
    );
  checkOrder(events);
  const delivered = () => new Set(sink.at('/all').map(({ headers }) => headers['webhook-id']));
  await waitUntil('deliveries', () => events.every(({ event_id }) => delivered().has(event_id)), 30_000);
}

/** Events of scores come after those of their inputs, which are of the same day or earlier. */
function checkOrder(events: readonly JsonBody[]): void {
  for (const [position, score] of events.entries()) {
    if (score.event_type !== 'score.updated') continue;
    const before = events.slice(0, position).filter(({ event_type }) => event_type === 'data.updated');
    assert.ok(
      before.some(({ from_date }) => from_date <= score.from_date),
      `scores from ${score.from_date} on, data from ${before.map(({ from_date }) => from_date)}`,
    );
  }
}

async function hasPublished(userId: string): Promise<boolean> {
  return (await services.db.query('select 1 from event_outbox where user_id = $1', [userId])).length === 0;
}

async function checkGone(path: string, userId: string): Promise<void> {
  const { data: rows } = await read(`${path}/daily?${RANGE}`);
  assert.deepEqual(rows, []);
  for (const kind of ['sleep', 'workouts']) assert.deepEqual((await read(`${path}/${kind}?${RANGE}`)).data, [], kind);
  assert.deepEqual((await read(`${path}/devices`)).data, []);
  await waitUntil('device.disconnected', async () => (await clouds.events(userId, 'device.disconnected')).length === 1);
}
