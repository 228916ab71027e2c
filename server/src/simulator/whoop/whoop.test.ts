// The simulated WHOOP, read by the real connector over HTTP.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { lastDates, livedOn, seenOn as seenBy } from '../../../test/support/lived-days.ts';
import { dailyOf, metricsOf } from '../../../test/support/read-pages.ts';
import { connectSimulated, windowOfDays } from '../../../test/support/simulated-connection.ts';
import { connectPerson } from '../../../test/support/simulated-person.ts';
import { startSimulator } from '../../../test/support/start-simulator.ts';
import type { SleepSession } from '../../domain/records/records.ts';
import { seeWorkoutsWithWatch } from '../../domain/sandbox/index.ts';
import { addDays, type LocalDate } from '../../domain/time/calendar.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import { whoop } from '../../providers/whoop/index.ts';

const { simulator, connection, today, isOver, resourceOf, read } = await connectPerson({ after }, whoop);
const dates = lastDates(today, 30);

const get = (path: string, query: Readonly<Record<string, string>> = {}) =>
  connection.ask({ origin: 'api', method: 'GET', path: `/developer/v2/${path}`, query, as: 'person' });
type Page = { readonly records: readonly Record<string, unknown>[]; readonly next_token: string | null };

const seenOn = (date: LocalDate) => seenBy('ring', 'ann', date).sleep;
const isNight = ({ key }: SleepSession) => key.startsWith('night');

describe('the connector reads the simulated data', () => {
  it('nights and naps, over several pages, each with its recovery', async () => {
    const pages = await read('sleep');
    const sessions = pages.flatMap(({ sleep }) => sleep).toSorted((a, b) => a.start - b.start);
    const { from } = windowOfDays(simulator.clock.now(), 30);
    const seen = dates.flatMap(seenOn).filter((one) => one.start >= from && isOver(one));
    const minutes = (sleep: SleepSession, wanted: string) =>
      (sleep.stages ?? []).reduce((sum, { stage, start, end }) => sum + (stage === wanted ? end - start : 0), 0) /
      MINUTE_MS;
    assert.ok(sessions.length > 25, 'more than a page');
    assert.deepEqual(
      sessions.map((one) => [one.start, one.end, one.offsetMinutes]),
      seen.map((one) => [one.start, one.end, one.offsetMinutes]),
    );
    const isScored = ({ start, end }: SleepSession) => end - start >= 30 * MINUTE_MS;
    assert.ok(
      seen.some((one) => !isScored(one)),
      'a nap that is too short',
    );
    seen.forEach((one, index) => {
      const reported = sessions[index];
      const stages = [
        reported?.deepMinutes,
        reported?.lightMinutes,
        reported?.remMinutes,
        reported?.awakeMinutes,
        reported?.inBedMinutes,
      ];
      const lived = ['deep', 'light', 'rem', 'awake'].map((stage) => minutes(one, stage));
      const inBed = (one.end - one.start) / MINUTE_MS;
      assert.deepEqual(stages, isScored(one) ? [...lived, inBed] : [null, null, null, null, null], one.key);
      assert.deepEqual(
        [reported?.heartRateVariability, reported?.respiratoryRate, reported?.bloodOxygen, reported?.skinTemperature],
        [one.heartRateVariability, one.respiratoryRate, one.bloodOxygen, one.skinTemperature],
        one.key,
      );
    });
    assert.equal(new Set(sessions.map(({ key }) => key)).size, sessions.length);
  });

  it('daily cycles: from bed to bed, with the total energy', async () => {
    const pages = await read('sleep');
    const [date, next] = [addDays(today, -1), today];
    const [from, to] = [date, next].map((one) => seenOn(one).find(isNight)?.start ?? assert.fail('no night'));
    let [kcal, most] = [0, 0];
    for (const day of [addDays(date, -1), date, next].map((one) => livedOn('ann', one)))
      day.bpm.forEach((bpm, minute) => {
        const ms = day.fromMs + minute * MINUTE_MS;
        if (ms < Number(from) || ms >= Number(to)) return;
        kcal += (day.activeKcal[minute] ?? 0) + day.person.basalKcal / 1_440;
        most = Math.max(most, bpm);
      });
    const { records } = (await get('cycle')).body as Page;
    const cycle = records.find(({ start }) => Date.parse(String(start)) === from) ?? assert.fail('no cycle');
    assert.ok(Math.abs((cycle.score as { kilojoule: number }).kilojoule - kcal * 4.184) < 0.001, 'kJ');
    assert.equal(dailyOf(pages, 'heart_rate_max', date), Math.round(most));
    assert.ok(Math.abs(Number(dailyOf(pages, 'total_calories', date)) - kcal) < 0.001, 'kcal');
    const stages = seenOn(date).find(isNight)?.stages ?? [];
    assert.equal(dailyOf(pages, 'awakenings', date), stages.filter(({ stage }) => stage === 'awake').length);
    const { restingBpm } = livedOn('ann', date).condition;
    assert.equal(dailyOf(pages, 'resting_heart_rate', date), Math.round(restingBpm));
  });

  for (const account of ['ann', 'bob', 'eve', 'ida'])
    it(`workouts of ${account}`, async () => {
      const own = await connectSimulated(simulator, whoop, { decision: 'allow', account });
      const pages = await own.read(resourceOf('workout'), windowOfDays(simulator.clock.now(), 30));
      const workouts = pages.flatMap((page) => page.workouts).toSorted((a, b) => a.start - b.start);
      const seen = dates.flatMap((date) => seeWorkoutsWithWatch(livedOn(account, date))).filter(isOver);
      assert.ok(seen.length > 5);
      const facts = (one: (typeof seen)[number]) => [
        one.start,
        one.end,
        one.offsetMinutes,
        one.sportType,
        one.distanceKm,
        one.elevationGainM,
        Math.round(one.activeCalories ?? 0),
      ];
      assert.deepEqual(workouts.map(facts), seen.map(facts));
      const trace = seen[0]?.heartRateSamples?.map(({ bpm }) => bpm) ?? [];
      assert.equal(workouts[0]?.maxHeartRate, Math.max(...trace));
      const { maxBpm } = livedOn(account, today).person;
      for (const [index, { sourceZones }] of workouts.entries()) {
        const lived = seen[index] ?? assert.fail('no such workout');
        const within = (lived.heartRateSamples ?? []).filter(({ bpm }) => bpm >= maxBpm / 2).length;
        const share = within / Math.max(1, lived.heartRateSamples?.length ?? 0);
        const inZones = sourceZones?.minutes.reduce((sum, minutes) => sum + minutes, 0) ?? assert.fail('no zones');
        assert.ok(Math.abs(inZones - (share * (lived.end - lived.start)) / MINUTE_MS) < 0.01, lived.key);
      }
    });

  it('every supported metric', async () => {
    assert.deepEqual(
      metricsOf([...(await read('sleep')), ...(await read('body_measurement'))]),
      [...whoop.metrics].sort(),
    );
  });

  it('one by its id, and the user id with all 64 bits', async () => {
    const sessions = (await read('sleep', 3)).flatMap(({ sleep }) => sleep);
    const night = sessions.find(({ heartRateVariability }) => heartRateVariability !== null) ?? assert.fail('no night');
    const again = await connection.readOneWithMore(resourceOf('sleep'), night.key);
    assert.deepEqual(
      again.flatMap(({ sleep }) => sleep),
      [night],
    );
    assert.ok(BigInt(connection.account.providerUserId) > BigInt(Number.MAX_SAFE_INTEGER));
    assert.equal((await get('activity/sleep/00000000-0000-4000-8000-000000000000')).status, 404);
  });
});

describe('collections', () => {
  it('are newest first, ten per page or as requested up to 25', async () => {
    const { body } = await get('activity/sleep');
    const { records } = body as Page;
    assert.equal(records.length, 10);
    const starts = records.map(({ start }) => Date.parse(String(start)));
    assert.deepEqual(
      starts,
      starts.toSorted((a, b) => b - a),
    );
    for (const limit of ['0', '26', 'x', '2.5']) assert.equal((await get('cycle', { limit })).status, 400, limit);
  });

  it('include records that began from start on, and before end', async () => {
    const all = ((await get('activity/workout', { limit: '25' })).body as Page).records;
    const [last, before] = all.map(({ start }) => String(start));
    assert.ok(last && before);
    const within = await get('activity/workout', { start: before, end: last });
    assert.deepEqual(
      (within.body as Page).records.map(({ start }) => start),
      [before],
    );
    assert.equal((await get('activity/workout', { start: 'yesterday' })).status, 400);
  });

  it('accept a page token for the same request only', async () => {
    const { next_token: nextToken } = (await get('cycle')).body as Page;
    assert.ok(nextToken);
    const second = (await get('cycle', { nextToken })).body as Page;
    assert.equal(second.records.length, 10);
    assert.equal((await get('cycle', { nextToken, start: '2026-03-01T00:00:00Z' })).status, 400);
    assert.equal((await get('recovery', { nextToken })).status, 400);
  });

  it('a cycle lasts until the next night, and has no recovery if the band was not worn', async () => {
    simulator.clock.advance(MINUTE_MS); // a new budget
    const cycles: Record<string, unknown>[] = [];
    for (let nextToken: string | null = ''; nextToken !== null; ) {
      const { body } = await get('cycle', { limit: '25', ...(nextToken !== '' && { nextToken }) });
      const page = body as Page;
      cycles.push(...page.records);
      nextToken = page.next_token;
    }
    assert.equal(cycles[0]?.end, null);
    cycles.slice(1).forEach(({ end }, index) => void assert.equal(end, cycles[index]?.start));
    const statuses = new Map<number, number>();
    for (const { id } of cycles) {
      const [recovery, sleep] = [await get(`cycle/${id}/recovery`), await get(`cycle/${id}/sleep`)];
      assert.equal(recovery.status, sleep.status);
      if (recovery.status === 200)
        assert.equal((recovery.body as { sleep_id: string }).sleep_id, (sleep.body as { id: string }).id);
      statuses.set(recovery.status, (statuses.get(recovery.status) ?? 0) + 1);
    }
    assert.ok((statuses.get(200) ?? 0) > 20 && (statuses.get(404) ?? 0) >= 2, JSON.stringify([...statuses]));
  });

  it('have headers for the limit that is reached first, and are rejected beyond it', async () => {
    const own = await startSimulator();
    const connected = await connectSimulated(own, whoop);
    const request = resourceOf('workout').request(windowOfDays(own.clock.now(), 2), null, connected.account);
    const [minute, day] = whoop.budgets;
    let answer = await connected.ask(request);
    const { left } = minute?.readLeft(answer) ?? assert.fail('no budget');
    assert.equal(answer.headers['x-ratelimit-limit'], '100, 100;window=60, 10000;window=86400');
    assert.equal(day?.readLeft(answer), null);
    for (let attempt = 0; attempt < left; attempt++) answer = await connected.ask(request);
    assert.deepEqual([answer.status, minute?.readLeft(answer)?.left], [200, 0]);
    answer = await connected.ask(request);
    assert.deepEqual([answer.status, minute?.readLeft(answer)], [429, { left: 0, resetSeconds: 60 }]);
    own.clock.advance(MINUTE_MS);
    assert.equal((await connected.ask(request)).status, 200);
    await own.close();
  });

  it('are limited by a fault as by the rate limit', async () => {
    const heal = simulator.fault({ kind: 'rate_limited', provider: 'whoop' });
    const { status, headers } = await get('cycle');
    heal();
    assert.deepEqual([status, headers['x-ratelimit-remaining']], [429, '0']);
  });
});

describe('tokens', async () => {
  const own = await startSimulator();
  after(() => own.close());
  const statusOf = (token: string) =>
    fetch(`${own.url}/whoop/developer/v2/cycle`, { headers: { authorization: `Bearer ${token}` } }).then(
      ({ status }) => status,
    );

  it('are revoked by a refresh, and expire after an hour', async () => {
    const connected = await connectSimulated(own, whoop);
    const { accessToken, refreshToken } = connected.account;
    assert.ok('accessToken' in (await connected.refresh()));
    assert.equal(await statusOf(accessToken), 401);
    assert.deepEqual(await connected.refresh(refreshToken ?? ''), { refused: 'invalid_grant', isDefinite: true });
    assert.equal(await statusOf(connected.account.accessToken), 200);
    own.clock.advance(HOUR_MS);
    assert.equal(await statusOf(connected.account.accessToken), 401);
    assert.ok('accessToken' in (await connected.refresh()));
  });

  it('cannot be refreshed without `offline`, and are limited to their scopes', async () => {
    const scopes = { 'read:profile': [], 'read:cycles': [] };
    const narrow = await connectSimulated(own, { ...whoop, oauth: { ...whoop.oauth, scopes } });
    assert.equal(narrow.account.refreshToken, null);
    assert.equal(await statusOf(narrow.account.accessToken), 200);
    const request = resourceOf('sleep').request(windowOfDays(own.clock.now(), 2), null, narrow.account);
    assert.equal((await narrow.ask(request)).status, 403);
  });

  it('are issued for a state of at least eight characters, with client credentials in the body', async () => {
    const { clientId, clientSecret } = own.simulator.clientOf('whoop');
    const ask = { response_type: 'code', client_id: clientId, redirect_uri: 'http://127.0.0.1:9/', scope: 'offline' };
    const authorize = (state: string) =>
      own.consent(`${own.url}/whoop/oauth/oauth2/auth?${new URLSearchParams({ ...ask, state })}`);
    assert.equal((await authorize('1234567')).get('error'), 'invalid_state');
    const code = (await authorize('12345678')).get('code') ?? '';
    const refused = await fetch(`${own.url}/whoop/oauth/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: ask.redirect_uri }),
    });
    assert.equal(refused.status, 401);
  });

  it('end with the connection', async () => {
    const connected = await connectSimulated(own, whoop);
    const revoke = whoop.oauth.revokeRequest?.(connected.account) ?? assert.fail('no way');
    assert.equal((await connected.ask(revoke)).status, 204);
    assert.equal(await statusOf(connected.account.accessToken), 401);
    assert.deepEqual(await connected.refresh(), { refused: 'invalid_grant', isDefinite: true });
  });
});
