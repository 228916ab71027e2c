import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFixture } from '../../../test/support/provider-fixture.ts';
import { ProviderAnswerError } from '../contract.ts';
import { readRateLeft } from './budgets.ts';
import { whoop } from './index.ts';
import { mapCycles } from './map-cycle.ts';
import { mapNights } from './map-sleep.ts';
import { mapWorkouts } from './map-workout.ts';
import { whoopOAuth } from './oauth.ts';
import { sleepResource } from './resources/sleep.ts';
import { toSportType } from './sports.ts';
import { whoopWebhook } from './webhook.ts';

const read = (name: string) => readFixture('whoop', name);
const context = { zone: 'Europe/Berlin', window: null };
const account = { providerUserId: '1', accessToken: 'a', refreshToken: null };

describe('nights of WHOOP', () => {
  const { sleep, daily } = mapNights(read('recovery'), { ...context, calledBy: read('sleep') });

  it('tells minutes out of milliseconds, and the vitals of its recovery', () => {
    const [night] = sleep;
    assert.ok(night);
    const { asleepMinutes, deepMinutes, lightMinutes, remMinutes, awakeMinutes, inBedMinutes } = night;
    assert.deepEqual(
      { asleepMinutes, deepMinutes, lightMinutes, remMinutes, awakeMinutes, inBedMinutes },
      { asleepMinutes: 431, deepMinutes: 90, lightMinutes: 240, remMinutes: 101, awakeMinutes: 31, inBedMinutes: 462 },
    );
    assert.deepEqual(
      [night.heartRateVariability, night.hrvKind, night.respiratoryRate, night.bloodOxygen, night.skinTemperature],
      [61.813, 'rmssd', 15.1, 96.2, 33.7],
    );
    assert.equal(night.stages, null);
  });

  it('tells the day on which it ended', () => {
    assert.deepEqual(
      daily.map(({ metric, date, value, unit }) => [metric, date, value, unit]),
      [
        ['resting_heart_rate', '2026-03-02', 52, 'bpm'],
        ['heart_rate_variability_rmssd', '2026-03-02', 61.813, 'ms'],
        ['blood_oxygen', '2026-03-02', 96.2, '%'],
        ['skin_temperature', '2026-03-02', 33.7, '°C'],
      ],
    );
  });

  it('tells naps and unscored nights without what they have not', () => {
    const others = mapNights({ records: [] }, { ...context, calledBy: read('sleep-other') });
    const [nap, pending] = others.sleep;
    assert.deepEqual([nap?.asleepMinutes, nap?.deepMinutes, nap?.heartRateVariability], [40, 0, null]);
    assert.deepEqual([pending?.asleepMinutes, pending?.inBedMinutes, pending?.respiratoryRate], [null, null, null]);
    assert.deepEqual(others.daily, []);
  });

  it('tells sleeps also where recoveries cannot be had', () => {
    assert.equal(mapNights(null, { ...context, calledBy: read('sleep') }).sleep.length, 1);
  });

  it('takes a recovery that is not scored for none', () => {
    const pending = { sleep_id: '11111111-1111-4111-8111-111111111111', score_state: 'PENDING_SCORE' };
    assert.deepEqual(mapNights({ records: [pending] }, { ...context, calledBy: read('sleep') }).daily, []);
  });

  it('asks once for all recoveries and once for all cycles of a page, or of one sleep', () => {
    const page = read('sleep') as { records: unknown[] };
    for (const body of [page, page.records[0]])
      assert.deepEqual(
        sleepResource
          .followUps?.(body, account)
          .map(({ resource, request }) => [resource, request.path, request.query]),
        ['recovery', 'cycle'].map((name) => [
          name,
          `/developer/v2/${name}`,
          { limit: '25', start: '2026-03-01T22:10:30.000Z', end: '2026-03-02T05:52:30.000Z' },
        ]),
      );
    assert.deepEqual(sleepResource.followUps?.({ records: [] }, account), []);
    assert.equal(sleepResource.nextCursor(page), 'token-2');
  });

  it('asks for cycles in parts, as nights without the band begin some too', () => {
    const dayMs = 86_400_000;
    const first = Date.parse('2026-03-01T22:00:00Z');
    const nights = Array.from({ length: 25 }, (_, index) => first + Math.floor(index * 1.2) * dayMs); // 25 of 30
    const iso = (ms: number) => new Date(ms).toISOString();
    const records = nights.map((start) => ({ id: iso(start), start: iso(start), end: iso(start + dayMs / 3) }));
    const parts = (sleepResource.followUps?.({ records }, account) ?? [])
      .filter(({ resource }) => resource === 'cycle')
      .map(({ request }) => [Date.parse(request.query?.start ?? ''), Date.parse(request.query?.end ?? '')] as const);
    for (const [from, to] of parts) assert.ok(to - from <= 24 * dayMs, 'more than a page');
    for (const start of nights)
      assert.equal(parts.filter(([from, to]) => start >= from && start < to).length, 1, iso(start));
  });
});

describe('cycles and workouts of WHOOP', () => {
  it('tells a cycle as the day on which its night ended, without the energy that is not told apart', () => {
    const { daily } = mapCycles(read('cycle'), { ...context, calledBy: read('sleep') });
    assert.deepEqual(
      daily.map(({ metric, date, value, unit }) => [metric, date, value, unit]),
      [
        ['heart_rate', '2026-03-02', 68, 'bpm'],
        ['heart_rate_max', '2026-03-02', 171, 'bpm'],
      ],
    );
  });

  it('tells no cycle whose night it does not know', () => {
    assert.deepEqual(mapCycles(read('cycle'), { ...context, calledBy: read('sleep-other') }).daily, []);
  });

  it('tells workouts in our units', () => {
    const [workout] = mapWorkouts(read('workout'), context).workouts;
    assert.ok(workout);
    assert.equal(workout.activeCalories, 1305.4 / 4.184);
    const { sportType, name, distanceKm, elevationGainM, avgHeartRate, maxHeartRate, durationMinutes } = workout;
    assert.deepEqual(
      { sportType, name, distanceKm, elevationGainM, avgHeartRate, maxHeartRate, durationMinutes },
      {
        sportType: 'running',
        name: 'running',
        distanceKm: 5.1034,
        elevationGainM: 24.4,
        avgHeartRate: 148,
        maxHeartRate: 171,
        durationMinutes: null,
      },
    );
  });

  it('knows sports by their names', () => {
    assert.equal(toSportType('hiking/rucking'), 'hiking');
    assert.equal(toSportType('functional fitness'), 'cross_training');
    assert.equal(toSportType('Cross Country Skiing'), 'cross_country_skiing');
    assert.equal(toSportType('sauna'), 'other');
  });
});

describe("WHOOP's notices, tokens and budgets", () => {
  const notices = (type: string) =>
    whoopWebhook
      .readNotices(Buffer.from(JSON.stringify({ user_id: 7, id: 'a', type })))
      .map((notice) => [notice.kind, 'resource' in notice ? notice.resource : null]);

  it('reads a recovery with its sleep', () => {
    assert.deepEqual(notices('recovery.updated'), [['changed', 'sleep']]);
    assert.deepEqual(notices('recovery.deleted'), [
      ['changed', 'sleep'],
      ['cleared', 'sleep'],
    ]);
    assert.deepEqual(notices('sleep.deleted'), [
      ['deleted', 'sleep'],
      ['cleared', 'sleep'],
    ]);
    assert.deepEqual(notices('workout.updated'), [['changed', 'workout']]);
    assert.deepEqual(notices('workout.deleted'), [['deleted', 'workout']]);
    assert.deepEqual(notices('body.updated'), []);
  });

  it('looks again at all that a night tells of its day', () => {
    const [, cleared] = whoopWebhook.readNotices(
      Buffer.from(JSON.stringify({ user_id: 7, id: 'a', type: 'sleep.deleted' })),
    );
    const of = { ...context, calledBy: read('sleep') };
    const told = [...mapNights(read('recovery'), of).daily, ...mapCycles(read('cycle'), of).daily];
    assert.deepEqual(cleared?.kind === 'cleared' && new Set(cleared.of), new Set(told.map(({ metric }) => metric)));
  });

  it('asks for a refresh token each time', () => {
    assert.equal(whoopOAuth.refreshRequest?.('r').form?.scope, 'offline');
    assert.ok(whoopOAuth.scopes.includes('offline'));
    const answer = { status: 200, headers: {}, body: read('token') };
    const tokens = whoopOAuth.readTokens(answer);
    assert.ok('accessToken' in tokens);
    assert.equal(tokens.scopes?.includes('read:sleep'), true);
  });

  it('learns who it is, with every digit', () => {
    const [step] = whoopOAuth.afterConnect;
    const named = (body: unknown) => step?.readUserId({ status: 200, headers: {}, body });
    assert.equal(named(read('profile')), '10129');
    assert.equal(named({ user_id: '9007199254740993' }), '9007199254740993');
    assert.throws(() => named({ user_id: 2 ** 53 }), ProviderAnswerError);
  });

  it('knows which budget the headers tell of', () => {
    const headers = {
      'x-ratelimit-limit': '100, 100;window=60, 10000;window=86400',
      'x-ratelimit-remaining': '98',
      'x-ratelimit-reset': '3',
    };
    assert.deepEqual(readRateLeft({ status: 200, headers, body: null }, 100), { left: 98, resetSeconds: 3 });
    assert.equal(readRateLeft({ status: 200, headers, body: null }, 10_000), null);
    assert.equal(readRateLeft({ status: 200, headers: {}, body: null }, 100), null);
    assert.equal(whoop.budgets.length, 2);
  });
});
