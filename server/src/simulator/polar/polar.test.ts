// The simulated Polar, read by the real connector over HTTP.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertEvery } from '../../../test/support/assert-every.ts';
import { lastDates, livedOn, seenOn as seenBy } from '../../../test/support/lived-days.ts';
import { dailyOf, metricsOf, samplesOf } from '../../../test/support/read-pages.ts';
import { connectSimulated } from '../../../test/support/simulated-connection.ts';
import { connectPerson } from '../../../test/support/simulated-person.ts';
import { startSimulator } from '../../../test/support/start-simulator.ts';
import type { MetricId } from '../../domain/metrics/index.ts';
import { isDuring, listWatchGaps, seeWorkoutsWithWatch } from '../../domain/sandbox/index.ts';
import { addDays, type LocalDate } from '../../domain/time/calendar.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import { polar } from '../../providers/polar/index.ts';
import { listLivedMinutes } from '../lived-minutes.ts';

/** Runs and cycles. */
const WHO = 'fay';
const fay = await connectPerson({ after }, polar, WHO);
const { connection, today, yesterday, isOver, resourceOf } = fay;
const dates = lastDates(today, 28);
const seenOn = (date: LocalDate) => seenBy('watch', WHO, date);

const read = (name: string, days = 28) => fay.read(name, days);
const get = (path: string, query: Readonly<Record<string, string>> = {}, by = connection) =>
  by.ask({ origin: 'api', method: 'GET', path: `/v3/${path}`, query, as: 'person' });

describe('the connector reads the simulated data', () => {
  it('nights, with their stages across midnight', async () => {
    const sessions = (await read('sleep')).flatMap(({ sleep }) => sleep);
    const seen = dates.flatMap((date) => seenOn(date).sleep).filter(isOver);
    assert.ok(seen.length > 20);
    assert.deepEqual(
      sessions.map(({ start, end, offsetMinutes, stages }) => ({ start, end, offsetMinutes, stages })),
      seen.map(({ start, end, offsetMinutes, stages }) => ({ start, end, offsetMinutes, stages })),
    );
    const night = sessions.at(-1);
    const minutes = (night?.deepMinutes ?? 0) + (night?.lightMinutes ?? 0) + (night?.remMinutes ?? 0);
    assert.equal(night?.asleepMinutes, minutes);
    assert.equal(minutes + (night?.awakeMinutes ?? 0), ((night?.end ?? 0) - (night?.start ?? 0)) / MINUTE_MS);
    assert.ok(Math.abs((night?.heartRate ?? 0) - (seen.at(-1)?.heartRate ?? 0)) < 6);
  });

  it('their recharge and temperatures, at night', async () => {
    const recharges = await read('nightly-recharge');
    const nights = dates.flatMap((date) => seenOn(date).sleep.map((night) => ({ date, night })));
    const known = nights.filter(({ night }) => isOver(night) && night.heartRateVariability !== null);
    assert.ok(known.length < nights.length, 'the battery died in some');
    assert.deepEqual(
      known.map(({ date }) => dailyOf(recharges, 'sleep_heart_rate_variability', date)),
      known.map(({ night }) => night.heartRateVariability),
    );
    const { date, night } = known.at(-1) ?? assert.fail('no night');
    const isInNight = ({ start }: { start: number }) => start >= night.start && start < night.end;
    const temperatures = await read('body-temperature', 2);
    for (const [pages, metric] of [
      [recharges, 'heart_rate_variability_rmssd'],
      [recharges, 'respiratory_rate'],
      [temperatures, 'body_temperature'],
      [temperatures, 'skin_temperature'],
    ] as const)
      assert.ok(samplesOf(pages, metric).filter(isInNight).length >= 12, metric);
    const all = nights.map((one) => one.night).filter(isOver);
    const isInAny = ({ start }: { start: number }) => all.some((one) => start >= one.start && start < one.end);
    assertEvery(samplesOf(temperatures, 'body_temperature'), isInAny, 'all of them');
    const deviation = livedOn(WHO, date).condition.temperatureDeviationC;
    const skin = await read('skin-temperature');
    assert.equal(dailyOf(skin, 'sleep_temperature_deviation', date), Math.round(deviation * 100) / 100);
  });

  it('steps and energy of a day, while the watch was worn', async () => {
    const pages = await read('activities');
    const lived = livedOn(WHO, yesterday);
    const gaps = listWatchGaps(lived);
    const isWorn = (_: number, minute: number) => !isDuring(gaps, lived.fromMs + minute * MINUTE_MS);
    const sum = (values: ArrayLike<number>) =>
      Array.from(values)
        .filter(isWorn)
        .reduce((total, value) => total + value, 0);
    assert.equal(dailyOf(pages, 'steps', yesterday), sum(lived.steps));
    assert.equal(dailyOf(pages, 'active_calories', yesterday), Math.round(sum(lived.activeKcal)));
    assert.equal(dailyOf(pages, 'resting_energy', yesterday), lived.person.basalKcal);
    const steps = samplesOf(pages, 'steps').filter(({ start }) => start >= lived.fromMs && start < lived.toMs);
    assert.deepEqual(
      steps.map(({ start, end, value }) => [start, end, value]),
      Array.from(lived.steps, (value, minute) => [lived.fromMs + minute * MINUTE_MS, value] as const)
        .filter(([, value], minute) => value > 0 && isWorn(value, minute))
        .map(([start, value]) => [start, start + MINUTE_MS, value]),
    );
  });

  it('activity zones, by minutes with the watch worn and the user awake', async () => {
    const pages = await read('activities');
    const zones = [
      ['light_activity', 'light'],
      ['moderate_activity', 'moderate'],
      ['vigorous_activity', 'vigorous'],
      ['sedentary_time', 'sedentary'],
    ] as const;
    const days = dates.slice(0, -1).map((date) => {
      const lived = livedOn(WHO, date);
      return { date, minutes: listLivedMinutes(lived, listWatchGaps(lived), lived.fromMs, lived.toMs) };
    });
    for (const [metric, wanted] of zones) {
      const lasted = days.map(({ minutes }) => minutes.filter(({ kind }) => kind === wanted).length);
      assert.ok(Math.max(...lasted) > 0, metric);
      assert.deepEqual(
        days.map(({ date }) => (dailyOf(pages, metric, date) ?? -1) / 60),
        lasted,
        metric,
      );
    }
  });

  it('the profile, entered manually', async () => {
    const pages = await read('physical-info');
    const { weightKg, heightCm } = livedOn(WHO, yesterday).person;
    assert.deepEqual(
      ['weight', 'height'].map((metric) => samplesOf(pages, metric).map(({ value, method }) => [value, method])),
      [[[weightKg, 'manual']], [[heightCm, 'manual']]],
    );
  });

  it('the heart rate all day, without training', async () => {
    const reported = samplesOf(await read('continuous-heart-rate', 3), 'heart_rate');
    const columns = seenOn(yesterday).samples.get('heart_rate' as MetricId) ?? assert.fail('no heart');
    const watch = new Map(Array.from(columns.starts, (start, index) => [start, columns.values[index]]));
    const { workouts, fromMs, toMs } = livedOn(WHO, yesterday);
    const ofDay = reported.filter(({ start }) => start >= fromMs && start < toMs);
    assert.ok(ofDay.length > 150);
    assertEvery(ofDay, ({ start, value }) => watch.get(start) === value && !isDuring(workouts, start));
  });

  it('training with its samples', async () => {
    const pages = await read('exercises');
    const seen = lastDates(today, 31)
      .flatMap((date) => seeWorkoutsWithWatch(livedOn(WHO, date)))
      .filter(isOver);
    const facts = (one: (typeof seen)[number]) => [
      one.sportType,
      one.start,
      one.end,
      one.offsetMinutes,
      one.distanceKm,
      one.activeCalories,
      one.heartRateSamples,
    ];
    const workouts = pages.flatMap((page) => page.workouts);
    assert.ok(seen.length > 8);
    assert.deepEqual(workouts.map(facts), seen.map(facts));
    const run = workouts.find(({ sportType }) => sportType === 'running') ?? assert.fail('no run');
    const speeds = samplesOf(pages, 'running_speed').filter(({ start }) => start >= run.start && start < run.end);
    const mean = speeds.reduce((total, { value }) => total + value, 0) / speeds.length;
    const hours = (run.end - run.start) / HOUR_MS;
    assert.ok(Math.abs(mean * hours - (run.distanceKm ?? 0)) < 0.2, 'km/h');
  });

  it('every resource has data, and every supported metric arrives', async () => {
    const pages = [];
    for (const { name } of polar.resources) {
      const found = await read(name);
      assert.ok(found.length > 0, name);
      pages.push(...found);
    }
    const reported = polar.metrics.filter((metric) => metric !== 'total_calories'); // only if the active part is missing
    assert.deepEqual(metricsOf(pages), [...reported].sort());
  });

  it('one by its date or id', async () => {
    const [workout] = (await read('exercises')).flatMap(({ workouts }) => workouts);
    assert.ok(workout);
    assert.deepEqual((await connection.readOne(resourceOf('exercises'), workout.key)).workouts, [workout]);
    const night = (await read('sleep')).flatMap(({ sleep }) => sleep).at(-1) ?? assert.fail('no night');
    assert.deepEqual((await connection.readOne(resourceOf('sleep'), night.key)).sleep, [night]);
    const { daily } = await connection.readOne(resourceOf('activities'), yesterday);
    assert.ok(daily.some(({ metric, date }) => metric === 'steps' && date === yesterday));
  });
});

describe('requests that it rejects', () => {
  it('invalid dates, too many days or days too old', async () => {
    const [from, to] = [addDays(today, -29), today];
    assert.equal((await get('users/activities', { from, to })).status, 400);
    assert.equal((await get('users/activities', { from: to, to: from })).status, 400);
    assert.equal((await get('users/activities', { from: addDays(today, -366), to: addDays(today, -360) })).status, 400);
    assert.equal((await get('users/activities/yesterday')).status, 400);
    assert.equal((await get('users/continuous-heart-rate')).status, 400);
  });

  it('nothing, but returns no data', async () => {
    const [before, from] = [addDays(today, -100), addDays(today, -110)];
    assert.equal((await get(`users/activities/${before}`)).status, 204);
    assert.equal((await get(`users/sleep/${before}`)).status, 404);
    assert.equal((await get('users/biosensing/spo2', { from, to: before })).status, 204);
    assert.equal((await get('exercises/00000000')).status, 404);
    assert.deepEqual((await get('users/activities', { from, to: before })).body, []);
  });

  it('samples that were not requested', async () => {
    const [exercise] = (await get('exercises')).body as Record<string, unknown>[];
    const [zoned] = (await get('exercises', { zones: 'true' })).body as Record<string, unknown>[];
    const [day] = (await get('users/activities')).body as Record<string, unknown>[];
    assert.ok(exercise && !('samples' in exercise) && !('heart_rate_zones' in exercise));
    assert.ok(zoned && 'heart_rate_zones' in zoned);
    assert.ok(day && !('samples' in day));
  });
});

describe('registration and tokens', async () => {
  const own = await startSimulator();
  after(() => own.close());
  const unregistered = { ...polar, oauth: { ...polar.oauth, afterConnect: [] } };
  const [registration] = polar.oauth.afterConnect;
  const registerAs = (memberId: string) =>
    registration?.request({ providerUserId: null, memberId }) ?? assert.fail('none');

  it('data requests fail without registration; a second registration is a conflict', async () => {
    const connected = await connectSimulated(own, unregistered);
    for (const path of ['exercises', 'users/sleep', 'users/biosensing/spo2'])
      assert.equal((await get(path, {}, connected)).status, 403, path);
    const user = `users/${connected.account.providerUserId}`;
    assert.equal((await get(user, {}, connected)).status, 204);
    const first = await connected.ask(registerAs('member-7'));
    assert.equal(registration?.readUserId(first), connected.account.providerUserId);
    assert.equal((await connected.ask(registerAs('member-7'))).status, 409);
    assert.equal((await get('users/sleep', {}, connected)).status, 200);
    assert.equal(((await get(user, {}, connected)).body as { 'member-id': string })['member-id'], 'member-7');
    assert.equal((await get('users/1', {}, connected)).status, 403);
  });

  it('reports earlier data of the watch as uploaded after registration', async () => {
    const connected = await connectSimulated(own, polar);
    const exercises = (await get('exercises', {}, connected)).body as { upload_time: string; start_time: string }[];
    assert.ok(exercises.length > 5);
    assertEvery(exercises, (one) => Date.parse(one.upload_time) >= own.clock.now().getTime());
    own.clock.advance(30 * DAY_MS);
    const later = (await get('exercises', {}, connected)).body as typeof exercises;
    assertEvery(later, (one) => one.start_time > (exercises.at(-1)?.start_time ?? ''), 'of the last 30 days');
  });

  it('survives a restart', async () => {
    const connected = await connectSimulated(own, polar);
    const other = await startSimulator({ clock: own.clock });
    const response = await fetch(`${other.url}/polar/v3/users/sleep`, {
      headers: { authorization: `Bearer ${connected.account.accessToken}` },
    });
    await other.close();
    assert.equal(response.status, 200);
  });

  it('ends with the token, and must be repeated', async () => {
    const connected = await connectSimulated(own, polar, { decision: 'allow', account: 'dan' });
    const revoke = polar.oauth.revokeRequest?.(connected.account) ?? assert.fail('no way');
    assert.equal((await connected.ask(revoke)).status, 204);
    assert.equal((await get('users/sleep', {}, connected)).status, 401);
    const again = await connectSimulated(own, unregistered, { decision: 'allow', account: 'dan' });
    assert.equal(again.account.providerUserId, connected.account.providerUserId);
    assert.equal((await get('users/sleep', {}, again)).status, 403);
  });

  it('issues no refresh token, and rejects client credentials in the body', async () => {
    const connected = await connectSimulated(own, polar);
    assert.equal(connected.account.refreshToken, null);
    const { clientId, clientSecret } = own.simulator.clientOf('polar');
    const response = await fetch(`${own.url}/polar/v2/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'x', client_id: clientId, client_secret: clientSecret }),
    });
    assert.equal(response.status, 401);
    own.clock.advance(366 * DAY_MS);
    assert.equal((await get('users/sleep', {}, connected)).status, 401);
  });

  it('counts requests in two windows whose limits grow with the users', async () => {
    const fresh = await startSimulator();
    const connected = await connectSimulated(fresh, polar);
    const answer = await get('users/sleep', {}, connected);
    const { 'ratelimit-limit': limit, 'ratelimit-usage': usage, 'ratelimit-reset': reset } = answer.headers;
    assert.deepEqual([limit, usage, reset], ['520, 5100', '2, 2', '900, 86400']);
    assert.deepEqual(
      polar.budgets.map(({ readLeft }) => readLeft(answer)?.left),
      [518, 5_098],
    );
    fresh.fault({ kind: 'rate_limited', provider: 'polar', times: 1 });
    const refused = await get('users/sleep', {}, connected);
    assert.deepEqual([refused.status, polar.budgets[0]?.readLeft(refused)?.left], [429, 0]);
    await fresh.close();
  });
});
