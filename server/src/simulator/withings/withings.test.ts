// The simulated Withings, read by the real connector over HTTP.

import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { lastDates, livedOn, seenOn, sumOfSeries } from '../../../test/support/lived-days.ts';
import { dailyOf, metricsOf, samplesOf } from '../../../test/support/read-pages.ts';
import { connectSimulated, windowOfDays } from '../../../test/support/simulated-connection.ts';
import { connectPerson } from '../../../test/support/simulated-person.ts';
import { weighOn } from '../../domain/sandbox/index.ts';
import { addDays } from '../../domain/time/calendar.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time/durations.ts';
import type { ProviderAnswer, ProviderRequest } from '../../providers/contract.ts';
import type { ProviderRecords } from '../../providers/provider-records.ts';
import { withings } from '../../providers/withings/index.ts';

const { simulator, connection, today, yesterday, isOver, resourceOf, read } = await connectPerson({ after }, withings);

beforeEach(() => simulator.clock.advance(61 * SECOND_MS)); // the limit of 120 requests per minute is soon reached

/** One request per day, because a response has at most 24 hours. */
async function readIntraday(dates: readonly string[]): Promise<ProviderRecords[]> {
  const pages: ProviderRecords[] = [];
  const all = windowOfDays(simulator.clock.now(), 30);
  for (const date of dates) {
    const from = Date.parse(date) - HOUR_MS;
    const window = { ...all, from, to: from + 24 * HOUR_MS } as typeof all;
    pages.push(...(await connection.read(resourceOf('intraday'), window)));
  }
  return pages;
}

const ask = (path: string, form: Readonly<Record<string, string>>, by = connection): Promise<ProviderAnswer> =>
  by.ask({ origin: 'api', method: 'POST', path, form, as: 'person' });
const statusOf = ({ status, body }: ProviderAnswer) => [status, (body as { status: number }).status];

describe('the connector reads the simulated data of Withings', () => {
  it('nights with their stages, over several pages', async () => {
    const sessions = (await read('sleep')).flatMap(({ sleep }) => sleep);
    const known = lastDates(today, 30).flatMap((date) => seenOn('watch', 'ann', date).sleep.filter(isOver));
    assert.ok(known.length > 20);
    assert.deepEqual(
      sessions.map(({ start, end, stages, offsetMinutes }) => ({ start, end, stages, offsetMinutes })),
      known.map(({ start, end, stages, offsetMinutes }) => ({ start, end, stages, offsetMinutes })),
    );
    assert.deepEqual(
      sessions.map(({ heartRate, respiratoryRate }) => [heartRate, respiratoryRate]),
      known.map(({ heartRate, respiratoryRate }) => [Math.round(heartRate ?? 0), Math.round(respiratoryRate ?? 0)]),
    );
    for (const [index, { key, heartRateVariability }] of sessions.entries()) {
      const { heartRateVariability: lived = null } = known[index] ?? {};
      const isNear = lived !== null && Math.abs((heartRateVariability ?? 0) - lived) <= 0.2 * lived;
      assert.ok(lived === null ? heartRateVariability === null : isNear, `${key}: ${heartRateVariability} of ${lived}`);
    }
    assert.equal(new Set(sessions.map(({ key }) => key)).size, sessions.length);
    const { body } = await ask('/v2/sleep', { action: 'getsummary', ...dates(30) });
    const { more, offset, series } = (body as { body: { more: boolean; offset: number; series: unknown[] } }).body;
    assert.deepEqual([more, offset, series.length], [true, 20, 20]);
  });

  it('the heart rate at night, minute by minute', async () => {
    const pages = await read('sleep', 2);
    const beats = samplesOf(pages, 'heart_rate');
    const reported = new Map(beats.map(({ start, value }): [number, number] => [start, value]));
    const [night] = pages.flatMap(({ sleep }) => sleep);
    assert.ok(night);
    const lived = [...seenOn('watch', 'ann', addDays(today, -1)).samples, ...seenOn('watch', 'ann', today).samples];
    const inBed = lived
      .filter(([metric]) => String(metric) === 'heart_rate')
      .flatMap(([, { starts, values }]) => Array.from(starts, (ms, index) => [ms, values[index]] as const))
      .filter(([ms]) => ms >= night.start && ms < night.end);
    assert.ok(inBed.length > 100);
    assert.deepEqual(
      inBed.filter(([ms, bpm]) => reported.get(ms) !== bpm),
      [],
    );
  });

  it('days: steps, distance, stairs and energy, each once, even if a phone imported a copy', async () => {
    const all = windowOfDays(simulator.clock.now(), 30);
    const { windowDays } = resourceOf('activity');
    const pages: ProviderRecords[] = [];
    for (let toDate = today; toDate >= all.fromDate; toDate = addDays(toDate, -windowDays)) {
      const window = { ...all, fromDate: addDays(toDate, 1 - windowDays), toDate };
      const read = await connection.read(resourceOf('activity'), window);
      assert.equal(read.length, 1, 'one page');
      pages.push(...read);
    }
    for (const date of [yesterday, addDays(today, -9)]) {
      const seen = seenOn('watch', 'ann', date);
      const near = (metric: string, expected: number) =>
        assert.ok(Math.abs((dailyOf(pages, metric, date) ?? -1) - expected) < 0.01, `${metric} ${date}`);
      assert.equal(dailyOf(pages, 'steps', date), sumOfSeries(seen, 'steps'));
      assert.equal(dailyOf(pages, 'floors_climbed', date), sumOfSeries(seen, 'floors_climbed'));
      near('distance', 1_000 * sumOfSeries(seen, 'distance'));
      near('active_calories', sumOfSeries(seen, 'active_calories'));
      near('resting_energy', sumOfSeries(seen, 'resting_energy'));
    }
    const steps = pages.flatMap(({ daily }) => daily.filter(({ metric }) => String(metric) === 'steps'));
    assert.equal(new Set(steps.map(({ date }) => date)).size, steps.length);
    const { body } = await ask('/v2/measure', { action: 'getactivity', ...dates(30) });
    const { activities } = (body as { body: { activities: { is_tracker: boolean }[] } }).body;
    assert.ok(activities.some((row) => !row.is_tracker));
  });

  it('intraday data adds up to the day', async () => {
    const pages = await readIntraday([yesterday]);
    const total = (metric: string) => samplesOf(pages, metric).reduce((sum, { value }) => sum + value, 0);
    const seen = seenOn('watch', 'ann', yesterday);
    assert.equal(total('steps'), sumOfSeries(seen, 'steps'));
    assert.equal(total('floors_climbed'), sumOfSeries(seen, 'floors_climbed'));
    assert.ok(Math.abs(total('active_calories') - sumOfSeries(seen, 'active_calories')) < 0.01);
    assert.equal(samplesOf(pages, 'heart_rate').length, seen.samples.get('heart_rate' as never)?.starts.length);
  });

  it('workouts', async () => {
    const workouts = (await read('workouts')).flatMap((page) => page.workouts);
    const lived = lastDates(today, 30).flatMap((date) => seenOn('watch', 'ann', date).workouts.filter(isOver));
    assert.ok(lived.length > 5);
    assert.deepEqual(
      workouts.map((one) => [one.sportType, one.start, one.end, one.durationMinutes, one.activeCalories]),
      lived.map((one) => {
        const sport = one.sportType === 'pool_swimming' ? 'swimming' : one.sportType;
        return [sport, one.start, one.end, one.durationMinutes, one.activeCalories];
      }),
    );
    assert.deepEqual(
      workouts.map(({ distanceKm, steps }) => [distanceKm, steps]),
      lived.map(({ distanceKm, steps }) => [distanceKm, steps]),
    );
  });

  it('weights to the gram, without those of a guest on the scale', async () => {
    const pages = await read('measures');
    assert.ok(pages.length >= 2, `${pages.length} pages`);
    const weighed = lastDates(today, 30).flatMap((date) => weighOn(livedOn('ann', date)) ?? []);
    assert.ok(weighed.length >= 8);
    assert.deepEqual(
      samplesOf(pages, 'weight')
        .toSorted((a, b) => a.start - b.start)
        .map(({ value }) => value),
      weighed,
    );
    const { body } = await ask('/measure', { action: 'getmeas' });
    const { measuregrps } = (body as { body: { measuregrps: { attrib: number; category: number }[] } }).body;
    assert.ok(measuregrps.some(({ attrib }) => attrib === 1));
    assert.equal(samplesOf(pages, 'height')[0]?.value, livedOn('ann', today).person.heightCm / 100);
  });

  it('every resource has data, and every supported metric arrives', async () => {
    const pages = await readIntraday(lastDates(yesterday, 7));
    for (const name of ['measures', 'activity', 'workouts', 'sleep']) {
      const some = await read(name);
      assert.ok(some.length > 0, name);
      pages.push(...some);
    }
    assert.deepEqual(metricsOf(pages), [...withings.metrics].sort());
  });
});

function dates(days: number) {
  return { startdateymd: addDays(today, 1 - days), enddateymd: today };
}

describe('requests that Withings rejects, with 200', () => {
  it('invalid parameters, and lastupdate together with dates', async () => {
    const both = { action: 'getactivity', lastupdate: '0', ...dates(3) };
    assert.deepEqual(statusOf(await ask('/v2/measure', both)), [200, 503]);
    assert.deepEqual(statusOf(await ask('/v2/measure', { action: 'getactivity' })), [200, 503]);
    assert.deepEqual(statusOf(await ask('/v2/sleep', { action: 'get', startdate: '1' })), [200, 503]);
    assert.deepEqual(statusOf(await ask('/v2/measure', { action: 'dance' })), [200, 2554]);
    assert.deepEqual(statusOf(await ask('/v2/measure', { action: 'getactivity', lastupdate: '0' })), [200, 0]);
  });

  it('fields that were not requested', async () => {
    const { body } = await ask('/v2/sleep', { action: 'getsummary', ...dates(3), data_fields: 'hr_min' });
    const { series } = (body as { body: { series: { data: object }[] } }).body;
    assert.deepEqual(Object.keys(series[0]?.data ?? {}), ['hr_min']);
  });

  it('invalid tokens, and scopes that were not granted', async () => {
    const response = await fetch(`${simulator.url}/withings/measure`, {
      method: 'POST',
      headers: { authorization: 'Bearer x' },
      body: new URLSearchParams({ action: 'getmeas' }),
    });
    const answer = { status: response.status, headers: {}, body: await response.json() };
    assert.equal(resourceOf('measures').readFailure?.(answer), 'unauthorized');
    const oauth = { ...withings.oauth, scopes: { 'user.metrics': [] } };
    const narrow = await connectSimulated(simulator, { ...withings, oauth });
    assert.deepEqual(statusOf(await ask('/measure', { action: 'getmeas' }, narrow)), [200, 0]);
    const denied = await ask('/v2/measure', { action: 'getactivity', ...dates(2) }, narrow);
    assert.equal(resourceOf('activity').readFailure?.(denied), 'forbidden');
  });

  it('the 121st request of a minute, as the connector reads it', async () => {
    for (let attempt = 0; attempt < 120; attempt++) await ask('/notify', { action: 'list' });
    const answer = await ask('/notify', { action: 'list' });
    assert.deepEqual(statusOf(answer), [200, 601]);
    const [budget] = withings.budgets;
    assert.deepEqual(budget?.readLeft(answer), { left: 0, resetSeconds: 60 });
  });

  it('faults in its own format', async () => {
    const failure = async () => resourceOf('measures').readFailure?.(await ask('/measure', { action: 'getmeas' }));
    for (const [kind, expected] of [
      ['rate_limited', 'rate_limited'],
      ['unavailable', 'unavailable'],
      ['revoked', 'unauthorized'],
    ] as const) {
      const heal = simulator.fault({ kind, provider: 'withings' });
      assert.equal(await failure(), expected);
      heal();
      assert.equal(await failure(), null);
    }
  });
});

describe("Withings' tokens", () => {
  it('a code is valid for half a minute', async () => {
    const late = await connectLate(31 * SECOND_MS);
    assert.deepEqual(late, { refused: 'status 503', isDefinite: true });
    assert.ok('accessToken' in (await connectLate(29 * SECOND_MS)));
  });

  it('the old refresh token is valid until the new access token is used', async () => {
    const one = await connectSimulated(simulator, withings);
    const old = one.account.refreshToken ?? '';
    assert.ok('accessToken' in (await one.refresh(old)));
    assert.ok('accessToken' in (await one.refresh(old)));
    assert.equal((await ask('/measure', { action: 'getmeas' }, one)).status, 200);
    assert.deepEqual(await one.refresh(old), { refused: 'status 503', isDefinite: true });
    assert.ok('accessToken' in (await one.refresh()));
  });

  it('a wrong secret does not end a connection', async () => {
    const form = { action: 'requesttoken', grant_type: 'refresh_token', client_id: 'x', client_secret: 'y' };
    const answer = await ask('/v2/oauth2', { ...form, refresh_token: connection.account.refreshToken ?? '' });
    assert.deepEqual(withings.oauth.readTokens(answer), { refused: 'status 503', isDefinite: false });
  });

  it('are revoked with a nonce that is valid once', async () => {
    const one = await connectSimulated(simulator, withings);
    const client = simulator.simulator.clientOf('withings');
    const requests: ProviderRequest[] = [];
    let before: ProviderAnswer | null = null;
    for (const step of withings.oauth.revokeSteps ?? []) {
      const request = step({ account: one.account, client, now: simulator.clock.now(), before });
      requests.push(request);
      before = await one.ask(request);
      assert.deepEqual(statusOf(before), [200, 0]);
    }
    assert.deepEqual(statusOf(await ask('/measure', { action: 'getmeas' }, one)), [200, 401]);
    assert.deepEqual(await one.refresh(), { refused: 'status 503', isDefinite: true });
    const [, revoke] = requests;
    assert.ok(revoke);
    assert.deepEqual(statusOf(await one.ask(revoke)), [200, 503]);
    assert.deepEqual(statusOf(await ask('/measure', { action: 'getmeas' })), [200, 0]);
  });

  it('a nonce is not issued without a signature', async () => {
    const client = { ...simulator.simulator.clientOf('withings'), clientSecret: 'x' };
    const [first] = withings.oauth.revokeSteps ?? [];
    const request = first?.({ account: connection.account, client, now: simulator.clock.now(), before: null });
    assert.ok(request);
    assert.deepEqual(statusOf(await connection.ask(request)), [200, 503]);
    const stale = first?.({
      account: connection.account,
      client: simulator.simulator.clientOf('withings'),
      now: new Date(simulator.clock.now().getTime() - 10 * MINUTE_MS),
      before: null,
    });
    assert.deepEqual(statusOf(await connection.ask(stale ?? request)), [200, 503]);
  });
});

/** Exchanges a code this long after the consent. */
async function connectLate(ms: number) {
  const { clientId: client_id, clientSecret: client_secret } = simulator.simulator.clientOf('withings');
  const redirect_uri = 'http://127.0.0.1:9/callback';
  const scope = Object.keys(withings.oauth.scopes).join(',');
  const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri, scope, state: 's' });
  const back = await simulator.consent(`${simulator.url}/withings${withings.oauth.authorizePath}?${query}`);
  simulator.clock.advance(ms);
  const code = back.get('code') ?? '';
  const request = withings.oauth.exchangeRequest({ code, redirectUri: redirect_uri, codeVerifier: null });
  return withings.oauth.readTokens(
    await connection.ask({ ...request, as: 'nobody', form: { ...request.form, client_id, client_secret } }),
  );
}
