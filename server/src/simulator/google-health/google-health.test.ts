// The simulated Google Health, read by the real connector over HTTP.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertEvery } from '../../../test/support/assert-every.ts';
import { lastDates, livedOn, seenOn, sumOfSeries } from '../../../test/support/lived-days.ts';
import { dailyOf, metricsOf, samplesOf } from '../../../test/support/read-pages.ts';
import { connectSimulated, windowOfDays } from '../../../test/support/simulated-connection.ts';
import { connectPerson } from '../../../test/support/simulated-person.ts';
import { weighOn } from '../../domain/sandbox/index.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import type { ProviderAnswer } from '../../providers/contract.ts';
import { googleHealth } from '../../providers/google-health/index.ts';
import type { ProviderRecords } from '../../providers/provider-records.ts';

const ann = await connectPerson({ after }, googleHealth);
const { simulator, connection, today, yesterday, isOver } = ann;
const read = (name: string, days = 30) => ann.read(name, Math.min(days, ann.resourceOf(name).windowDays));

describe('the connector reads the simulated data of Google Health', () => {
  it('nights with their stages, over several pages', async () => {
    const pages = await read('sleep');
    assert.equal(pages.length, 2);
    const sessions = pages.flatMap(({ sleep }) => sleep);
    const known = lastDates(today, 30).flatMap((date) => seenOn('watch', 'ann', date).sleep.filter(isOver));
    assert.ok(known.length > 25);
    const facts = ({ start, end, stages, offsetMinutes }: (typeof known)[number]) => [
      start,
      end,
      stages,
      offsetMinutes,
    ];
    assert.deepEqual(sessions.map(facts), known.map(facts));
    for (const { start, end, inBedMinutes, asleepMinutes, awakeMinutes } of sessions) {
      assert.equal(inBedMinutes, (end - start) / MINUTE_MS);
      assert.equal((asleepMinutes ?? 0) + (awakeMinutes ?? 0), inBedMinutes);
    }
  });

  it('daily rollups, and the points they are computed from', async () => {
    const seen = seenOn('watch', 'ann', yesterday);
    const within = (pages: readonly ProviderRecords[], metric: string) => {
      const { from, to } = windowOfDays(simulator.clock.now(), 2);
      const points = samplesOf(pages, metric).filter(({ start }) => start >= from && start < to - DAY_MS);
      return points.reduce((sum, { value }) => sum + value, 0);
    };
    assert.equal(dailyOf(await read('steps-rollup'), 'steps', yesterday), sumOfSeries(seen, 'steps'));
    assert.equal(within(await read('steps'), 'steps'), sumOfSeries(seen, 'steps'));
    assert.equal(
      dailyOf(await read('floors-rollup'), 'floors_climbed', yesterday),
      sumOfSeries(seen, 'floors_climbed'),
    );
    const near = (value: number | undefined, expected: number) => assert.ok(Math.abs((value ?? -1) - expected) < 0.2);
    near(dailyOf(await read('distance-rollup'), 'distance', yesterday), 1_000 * sumOfSeries(seen, 'distance'));
    near(within(await read('distance'), 'distance'), 1_000 * sumOfSeries(seen, 'distance'));
    const energy = sumOfSeries(seen, 'active_calories');
    near(dailyOf(await read('active-energy-burned-rollup'), 'active_calories', yesterday), energy);
    near(within(await read('basal-energy-burned'), 'resting_energy'), sumOfSeries(seen, 'resting_energy'));
  });

  it('the heart rate of every minute, over several pages', async () => {
    const pages = await read('heart-rate', 7);
    let count = 0;
    let pageToken = '';
    do {
      const { body } = await get('heart-rate', {
        filter: lastDays(7),
        pageSize: '4000',
        ...(pageToken && { pageToken }),
      });
      const page = body as { dataPoints: unknown[]; nextPageToken: string };
      assert.ok(page.dataPoints.length === 4_000 || page.nextPageToken === '');
      count += page.dataPoints.length;
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    assert.ok(count > 4_000);
    assert.equal(samplesOf(pages, 'heart_rate').length, count);
    const reported = new Map(
      samplesOf(pages, 'heart_rate').map(({ start, value }): [number, number] => [start, value]),
    );
    const [, columns] =
      [...seenOn('watch', 'ann', yesterday).samples].find(([id]) => String(id) === 'heart_rate') ?? [];
    assert.ok(columns !== undefined && columns.starts.length > 500);
    const missing = Array.from(columns.starts).filter((start, index) => reported.get(start) !== columns.values[index]);
    assert.deepEqual(missing, []);
  });

  it('exercises', async () => {
    const workouts = (await read('exercise')).flatMap((page) => page.workouts);
    const lived = lastDates(today, 30).flatMap((date) => seenOn('watch', 'ann', date).workouts.filter(isOver));
    assert.ok(lived.length > 5);
    const facts = (one: (typeof lived)[number]) => [
      one.sportType,
      one.start,
      one.end,
      one.durationMinutes,
      one.distanceKm,
      one.activeCalories,
      one.steps,
      one.elevationGainM,
      one.swimmingLapLengthM,
    ];
    assert.deepEqual(workouts.map(facts), lived.map(facts));
  });

  it('morning values, and weight', async () => {
    const date = lastDates(today, 30).findLast((one) => {
      const [night] = seenOn('watch', 'ann', one).sleep;
      return night !== undefined && night.heartRateVariability !== null;
    });
    assert.ok(date !== undefined);
    const [night] = seenOn('watch', 'ann', date).sleep;
    const daily = async (name: string, metric: string) => dailyOf(await read(name), metric, date);
    const rmssd = await daily('daily-heart-rate-variability', 'sleep_heart_rate_variability');
    assert.equal(rmssd, night?.heartRateVariability);
    assert.equal(await daily('daily-oxygen-saturation', 'sleep_blood_oxygen'), night?.bloodOxygen);
    assert.equal(await daily('daily-respiratory-rate', 'sleep_respiratory_rate'), night?.respiratoryRate);
    const deviation = await daily('daily-sleep-temperature-derivations', 'sleep_temperature_deviation');
    assert.ok(Math.abs((deviation ?? 9) - livedOn('ann', date).condition.temperatureDeviationC) < 0.01);
    const weighed = lastDates(today, 30).flatMap((one) => weighOn(livedOn('ann', one)) ?? []);
    assert.deepEqual(
      samplesOf(await read('weight'), 'weight').map(({ value, unit }) => [value, unit]),
      weighed.map((kg) => [Math.round(kg * 1_000), 'g']),
    );
  });

  it('food and drinks, zones, total energy and breathing during sleep', async () => {
    const seen = seenOn('watch', 'ann', yesterday);
    const sumOn = (pages: readonly ProviderRecords[], metric: string) => {
      const { to } = windowOfDays(simulator.clock.now(), 1);
      const points = samplesOf(pages, metric).filter(({ start }) => start >= to - 2 * DAY_MS && start < to - DAY_MS);
      return points.reduce((sum, { value }) => sum + value, 0);
    };
    const meals = await read('nutrition-log');
    const eaten = dailyOf(await read('nutrition-log-rollup'), 'dietary_energy', yesterday) ?? 0;
    assert.ok(eaten > 1_000);
    assert.equal(sumOn(meals, 'dietary_energy'), eaten);
    assert.deepEqual(new Set(samplesOf(meals, 'protein').map(({ method }) => method)), new Set(['unknown']));
    assert.equal(dailyOf(await read('hydration-log-rollup'), 'water', yesterday), 1_650);
    assert.equal(sumOn(await read('hydration-log'), 'water'), 1_650);
    const energy = sumOfSeries(seen, 'active_calories') + sumOfSeries(seen, 'resting_energy');
    const total = dailyOf(await read('total-calories-rollup'), 'total_calories', yesterday) ?? 0;
    assert.ok(Math.abs(total - energy) < 0.2, `${total} and ${energy}`);
    const zones = await read('time-in-heart-rate-zone-rollup');
    const minutes = lastDates(today, 30).map((date) => dailyOf(zones, 'heart_rate_zone_2_time', date) ?? 0);
    assert.ok(Math.max(...minutes) > 0);
    const breaths = samplesOf(await read('respiratory-rate-sleep-summary'), 'respiratory_rate');
    const nights = lastDates(today, 30).flatMap((date) => seenOn('watch', 'ann', date).sleep.filter(isOver));
    const measured = nights.flatMap(({ end, respiratoryRate }) =>
      respiratoryRate === null ? [] : [[end, respiratoryRate]],
    );
    assert.ok(measured.length > 20);
    assert.deepEqual(
      breaths.map(({ start, value }) => [start, value]),
      measured,
    );
  });

  it('merged points without a source, and listed ones with theirs', async () => {
    const pointsOf = async (path: string) => {
      const answer = await connection.ask({
        origin: 'api',
        method: 'GET',
        path: `/v4/users/me/dataTypes/weight/${path}`,
        as: 'person',
      });
      return (answer.body as { dataPoints: { dataSource?: { recordingMethod: string } }[] }).dataPoints;
    };
    const [listed, merged] = [await pointsOf('dataPoints'), await pointsOf('dataPoints:reconcile')];
    assert.ok(listed.length > 0 && listed.length === merged.length);
    assertEvery(listed, ({ dataSource }) => dataSource?.recordingMethod === 'MANUAL');
    assertEvery(merged, (point) => !('dataSource' in point));
  });

  it('every resource has data, and every supported metric arrives', async () => {
    const pages: ProviderRecords[] = [];
    for (const { name } of googleHealth.resources) {
      const some = await read(name);
      const isThere = some.some(
        (page) => page.samples.size + page.daily.length + page.sleep.length + page.workouts.length > 0,
      );
      assert.ok(isThere, name);
      pages.push(...some);
    }
    assert.deepEqual(metricsOf(pages), [...googleHealth.metrics].sort());
  });
});

const get = (type: string, query: Readonly<Record<string, string>>, by = connection): Promise<ProviderAnswer> =>
  by.ask({
    origin: 'api',
    method: 'GET',
    path: `/v4/users/me/dataTypes/${type}/dataPoints:reconcile`,
    query,
    as: 'person',
  });

function lastDays(days: number): string {
  const { from } = windowOfDays(simulator.clock.now(), days);
  return `heart_rate.sample_time.physical_time >= "${new Date(from).toISOString()}"`;
}

describe('requests that Google rejects', () => {
  it('filters with a wrong type, field, operator or kind of time', async () => {
    for (const [type, filter] of [
      ['body-fat', 'body-fat.sample_time.physical_time >= "2026-03-01T00:00:00Z"'],
      ['steps', 'steps.interval.end_time >= "2026-03-01T00:00:00Z"'],
      ['steps', 'steps.interval.start_time > "2026-03-01T00:00:00Z"'],
      ['steps', 'steps.interval.start_time >= "2026-03-01"'],
      ['sleep', 'sleep.interval.start_time >= "2026-03-01T00:00:00Z"'],
      ['steps', 'distance.interval.start_time >= "2026-03-01T00:00:00Z"'],
      ['daily-vo2-max', 'daily_vo2_max.date >= "2026-02-30"'],
    ] as const) {
      const { status, body } = await get(type, { filter });
      assert.equal(status, 400, filter);
      assert.equal((body as { error: { status: string } }).error.status, 'INVALID_ARGUMENT');
    }
    assert.equal(
      (await get('steps', { filter: 'steps.interval.civil_start_time >= "2026-03-09T08:00:00"' })).status,
      200,
    );
  });

  it('page tokens of another request, and more than 25 nights per page', async () => {
    const { body } = await get('sleep', { pageSize: '100' });
    const { dataPoints, nextPageToken } = body as { dataPoints: unknown[]; nextPageToken: string };
    assert.equal(dataPoints.length, 25);
    assert.notEqual(nextPageToken, '');
    const steps = await get('steps', { pageSize: '3' });
    const { nextPageToken: token } = steps.body as { nextPageToken: string };
    assert.equal((await get('steps', { pageSize: '3', pageToken: token })).status, 200);
    assert.equal((await get('distance', { pageSize: '3', pageToken: token })).status, 400);
  });

  it('rollups over too many days', async () => {
    const range = {
      start: { date: { year: 2026, month: 1, day: 1 } },
      end: { date: { year: 2026, month: 3, day: 1 } },
    };
    const ask = (type: string) =>
      connection.ask({
        origin: 'api',
        method: 'POST',
        path: `/v4/users/me/dataTypes/${type}/dataPoints:dailyRollUp`,
        json: { range, windowSizeDays: 1 },
        as: 'person',
      });
    assert.equal((await ask('steps')).status, 200);
    assert.equal((await ask('active-minutes')).status, 400);
    assert.equal((await ask('sleep')).status, 400);
  });

  it('a missing scope, an invalid token, and too many requests per minute', async () => {
    const [scope = ''] = Object.keys(googleHealth.oauth.scopes);
    const narrow = await connectSimulated(simulator, googleHealth, { decision: 'allow', scope });
    assert.equal((await get('steps', {}, narrow)).status, 200);
    assert.equal((await get('sleep', {}, narrow)).status, 403);
    const nobody = await fetch(`${simulator.url}/google_health/v4/users/me/identity`);
    assert.equal(nobody.status, 401);
    const heal = simulator.fault({ kind: 'rate_limited', provider: 'google_health', times: 1 });
    const { status, body } = await get('steps', {}, narrow);
    heal();
    assert.deepEqual([status, (body as { error: { status: string } }).error.status], [429, 'RESOURCE_EXHAUSTED']);
  });
});

describe("Google's tokens", () => {
  it('are refreshed with the same refresh token any number of times', async () => {
    const one = await connectSimulated(simulator, googleHealth);
    const { refreshToken } = one.account;
    const again = await one.refresh();
    assert.ok('accessToken' in again && again.refreshToken === null);
    assert.equal(one.account.refreshToken, refreshToken);
    assert.ok('accessToken' in (await one.refresh()));
  });

  it('cannot be refreshed unless offline access was requested', async () => {
    const oauth = { ...googleHealth.oauth, authorizeParameters: {} };
    const one = await connectSimulated(simulator, { ...googleHealth, oauth });
    assert.equal(one.account.refreshToken, null);
  });

  it('are revoked by the refresh token', async () => {
    const one = await connectSimulated(simulator, googleHealth);
    const request = googleHealth.oauth.revokeRequest?.(one.account);
    assert.ok(request);
    assert.equal((await one.ask(request)).status, 200);
    assert.equal((await get('steps', {}, one)).status, 401);
    assert.deepEqual(await one.refresh(), { refused: 'invalid_grant', isDefinite: true });
    assert.equal((await one.ask(request)).status, 400);
  });
});
