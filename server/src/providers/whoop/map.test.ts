import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFixture } from '../../../test/support/provider-fixture.ts';
import { DAY_MS } from '../../domain/time/durations.ts';
import { type FetchWindow, ProviderAnswerError } from '../contract.ts';
import { readRateLeft } from './budgets.ts';
import { whoop } from './index.ts';
import { mapBody } from './map-body.ts';
import { mapCycles } from './map-cycle.ts';
import { mapNights } from './map-sleep.ts';
import { mapWorkouts } from './map-workout.ts';
import { whoopOAuth } from './oauth.ts';
import { bodyResource } from './resources/body.ts';
import { sleepResource } from './resources/sleep.ts';
import { toSportType } from './sports.ts';
import { whoopWebhook } from './webhook.ts';

/** Names of `sport_name` in version 2. */
const SPORT_NAMES = `
  assault-bike australian-football babywearing badminton barre barre3 barrys baseball basketball box-fitness boxing caddying climber
  cricket cross-country-skiing cycling dance disc-golf diving dog-walking duathlon elliptical f45-training fencing field-hockey football
  functional-fitness gaelic-football golf gymnastics handball hiit hiking-rucking horseback-riding hot-yoga hurling-camogie ice-hockey
  ice-skating inline-skating jiu-jitsu jumping-rope kayaking kickboxing kite-boarding lacrosse martial-arts meditation mountain-biking
  netball obstacle-course-racing paddle-tennis paddleboarding padel pickleball pilates polo powerlifting powerlifting_msk rock-climbing
  rowing rugby running sailing skateboarding skiing snowboarding soccer softball spikeball spin squash stadium-steps stairmaster
  strength-trainer stretching stroller-jogging stroller-walking surfing swimming table-tennis tennis toddlerwearing track-field triathlon
  ultimate volleyball wakeboarding walking water-polo water-skiing weightlifting weightlifting_msk wheelchair-pushing wrestling yoga`
  .trim()
  .split(/\s+/);

/** Recorded by WHOOP, but not sports of ours. */
const NO_SPORTS = `
  activity other air-compression circus-arts cleaning coaching commuting cooking dedicated-parenting gaming high-stress-work ice-bath
  manual-labor massage-therapy motocross motor-racing musical-performance operations-flying operations-medical operations-tactical
  operations-water paintball parkour percussive-massage public-speaking sauna stage-performance watching-sports yard-work`
  .trim()
  .split(/\s+/);

const read = (name: string) => readFixture('whoop', name);
const context = { zone: 'Europe/Berlin', window: null };
const account = { providerUserId: '1', accessToken: 'a', refreshToken: null };

describe('nights of WHOOP', () => {
  const { sleep, daily } = mapNights(read('recovery'), { ...context, calledBy: read('sleep') });

  it('converts milliseconds to minutes and reads the vital signs of its recovery', () => {
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

  it('belongs to the day on which it ended', () => {
    assert.deepEqual(
      daily.map(({ metric, date, value, unit }) => [metric, date, value, unit]),
      [
        ['awakenings', '2026-03-02', 9, 'count'],
        ['resting_heart_rate', '2026-03-02', 52, 'bpm'],
        ['heart_rate_variability_rmssd', '2026-03-02', 61.813, 'ms'],
        ['blood_oxygen', '2026-03-02', 96.2, '%'],
        ['skin_temperature', '2026-03-02', 33.7, '°C'],
      ],
    );
  });

  it('reads naps and unscored nights without missing values', () => {
    const others = mapNights({ records: [] }, { ...context, calledBy: read('sleep-other') });
    const [nap, pending] = others.sleep;
    assert.deepEqual([nap?.asleepMinutes, nap?.deepMinutes, nap?.heartRateVariability], [40, 0, null]);
    assert.deepEqual([pending?.asleepMinutes, pending?.inBedMinutes, pending?.respiratoryRate], [null, null, null]);
    assert.deepEqual(others.daily, []);
  });

  it('reads sleeps without recoveries', () => {
    assert.equal(mapNights(null, { ...context, calledBy: read('sleep') }).sleep.length, 1);
  });

  it('ignores an unscored recovery', () => {
    const pending = { sleep_id: '11111111-1111-4111-8111-111111111111', score_state: 'PENDING_SCORE' };
    const { daily: reported } = mapNights({ records: [pending] }, { ...context, calledBy: read('sleep') });
    assert.deepEqual(
      reported.map(({ metric }) => metric),
      ['awakenings'],
      'of the sleep itself',
    );
  });

  it('requests all recoveries and all cycles of a page, or of one sleep, once', () => {
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

  it('requests cycles in parts, because nights without the band have cycles too', () => {
    const first = Date.parse('2026-03-01T22:00:00Z');
    const nights = Array.from({ length: 25 }, (_, index) => first + Math.floor(index * 1.2) * DAY_MS); // 25 of 30
    const iso = (ms: number) => new Date(ms).toISOString();
    const records = nights.map((start) => ({ id: iso(start), start: iso(start), end: iso(start + DAY_MS / 3) }));
    const parts = (sleepResource.followUps?.({ records }, account) ?? [])
      .filter(({ resource }) => resource === 'cycle')
      .map(({ request }) => [Date.parse(request.query?.start ?? ''), Date.parse(request.query?.end ?? '')] as const);
    for (const [from, to] of parts) assert.ok(to - from <= 24 * DAY_MS, 'more than a page');
    for (const start of nights)
      assert.equal(parts.filter(([from, to]) => start >= from && start < to).length, 1, iso(start));
  });
});

describe('a page of WHOOP with a wrong time', () => {
  const night = (start: string, end: string) => ({ id: start, start, end });
  const listFollowUps = (records: readonly object[]) =>
    (sleepResource.followUps?.({ records }, account) ?? []).map(({ resource, request: { query } }) => ({
      resource,
      start: query?.start?.slice(0, 10),
      end: query?.end?.slice(0, 10),
    }));
  const GOOD = [
    night('2026-02-28T22:00:00Z', '2026-03-01T06:00:00Z'),
    night('2026-03-01T22:00:00Z', '2026-03-02T06:00:00Z'),
  ];
  const PAGE = { start: '2026-02-28', end: '2026-03-02' };

  it('requests what belongs to the other sleeps, and not the years between', () => {
    for (const wrong of ['1970-01-01T00:00:00Z', '2120-01-01T00:00:00Z'])
      for (const records of [
        [...GOOD, night('2026-03-01T12:00:00Z', wrong)],
        [...GOOD, night(wrong, '2026-03-01T12:00:00Z')],
      ])
        assert.deepEqual(listFollowUps(records), [
          { resource: 'recovery', ...PAGE },
          { resource: 'cycle', ...PAGE },
        ]);
  });

  it('requests both parts of a page with a pause of more than 20 days', () => {
    const records = [night('2026-02-01T22:00:00Z', '2026-02-02T06:00:00Z'), ...GOOD];
    assert.deepEqual(listFollowUps(records), [
      { resource: 'recovery', start: '2026-02-01', end: '2026-03-02' },
      { resource: 'cycle', start: '2026-02-01', end: '2026-02-02' },
      { resource: 'cycle', ...PAGE },
    ]);
  });

  it('requests a few intervals at most if it has no other sleep', () => {
    const followUps = listFollowUps([night('2026-02-28T22:00:00Z', '1970-01-01T00:00:00Z')]);
    assert.deepEqual(
      followUps.map(({ resource }) => resource),
      ['recovery', 'cycle'],
    );
  });
});

describe('cycles and workouts of WHOOP', () => {
  it('reports a cycle for the day on which its night ended, with the total energy', () => {
    const { daily } = mapCycles(read('cycle'), { ...context, calledBy: read('sleep') });
    assert.deepEqual(
      daily.map(({ metric, date, value, unit }) => [metric, date, value, unit]),
      [
        ['heart_rate', '2026-03-02', 68, 'bpm'],
        ['heart_rate_max', '2026-03-02', 171, 'bpm'],
        ['total_calories', '2026-03-02', 9810.4 / 4.184, 'kcal'],
      ],
    );
  });

  it('ignores a cycle without a known night', () => {
    assert.deepEqual(mapCycles(read('cycle'), { ...context, calledBy: read('sleep-other') }).daily, []);
  });

  it('reads workouts in our units', () => {
    const [workout] = mapWorkouts(read('workout'), context).workouts;
    assert.ok(workout);
    assert.equal(workout.activeCalories, 1305.4 / 4.184);
    const { sportType, name, distanceKm, elevationGainM, avgHeartRate, maxHeartRate, durationMinutes } = workout;
    assert.deepEqual(
      { sportType, name, distanceKm, elevationGainM, avgHeartRate, maxHeartRate, durationMinutes },
      {
        sportType: 'running',
        name: null,
        distanceKm: 5.1034,
        elevationGainM: 24.4,
        avgHeartRate: 148,
        maxHeartRate: 171,
        durationMinutes: null,
      },
    );
  });

  it('reads the minutes of the five zones, without the one below them', () => {
    const [workout] = mapWorkouts(read('workout'), context).workouts;
    assert.deepEqual(workout?.sourceZones, {
      minutes: [2, 400 / 60, 15, 400 / 60, 61 / 60],
      isApproximate: false,
    });
    const page = structuredClone(read('workout')) as { records: { score: { zone_durations: object } }[] };
    for (const { score } of page.records) score.zone_durations = { zone_one_milli: 1, zone_two_milli: 1 };
    assert.equal(mapWorkouts(page, context).workouts[0]?.sourceZones, null);
  });

  it('drops the values of records that are not scored, whatever they still carry', () => {
    const scored = { sleep: read('sleep'), recovery: read('recovery'), cycle: read('cycle'), workout: read('workout') };
    const map = ({ sleep, recovery, cycle, workout }: Record<keyof typeof scored, unknown>) => {
      const of = { ...context, calledBy: sleep };
      const nights = mapNights(recovery, of);
      return {
        daily: [...nights.daily, ...mapCycles(cycle, of).daily],
        sessions: [...nights.sleep, ...mapWorkouts(workout, context).workouts],
      };
    };
    const measured = (session: object) =>
      Object.entries(session).filter(
        ([name, value]) =>
          value !== null && !/^(key|name|sportType|start|end|offsetMinutes|hrvKind|method)$/.test(name),
      );
    assert.ok(map(scored).daily.length > 6);
    for (const session of map(scored).sessions) assert.ok(measured(session).length > 5);
    for (const score_state of ['PENDING_SCORE', 'UNSCORABLE']) {
      const unscored = (page: unknown) => ({
        records: (page as { records: object[] }).records.map((record) => ({ ...record, score_state })),
      });
      const { daily, sessions } = map({
        sleep: unscored(scored.sleep),
        recovery: unscored(scored.recovery),
        cycle: unscored(scored.cycle),
        workout: unscored(scored.workout),
      });
      assert.deepEqual([daily, sessions.length], [[], 2], score_state);
      for (const session of sessions) assert.deepEqual(measured(session), [], score_state);
    }
  });

  it('reports height and weight of the profile for the day of the request', () => {
    const window = { from: 0, to: 0, fromDate: '2026-03-01', toDate: '2026-03-02' } as unknown as FetchWindow;
    assert.deepEqual(
      mapBody(read('body'), { ...context, window }).daily.map(({ metric, date, value, unit }) => [
        metric,
        date,
        value,
        unit,
      ]),
      [
        ['height', '2026-03-02', 1.78, 'm'],
        ['weight', '2026-03-02', 72.4, 'kg'],
      ],
    );
    assert.deepEqual(mapBody({}, { ...context, window }).daily, []);
    assert.deepEqual(
      [bodyResource.isCurrentOnly, bodyResource.historyDays, bodyResource.windowDays],
      [true, 1, 1],
      'it has no history',
    );
    assert.ok((bodyResource.scope ?? '') in whoopOAuth.scopes);
  });

  it('maps every sport of WHOOP by its version 2 name', () => {
    const others = new Set(NO_SPORTS);
    for (const name of SPORT_NAMES) {
      assert.ok(others.has(name) || toSportType(name) !== 'other', name);
      const written = [name.replaceAll('-', '_'), name.replaceAll('-', ' '), name.toUpperCase()];
      for (const other of written) assert.equal(toSportType(other), toSportType(name), other);
    }
    for (const name of NO_SPORTS) assert.equal(toSportType(name), 'other', name);
    assert.deepEqual(
      ['weightlifting_msk', 'Powerlifting MSK', 'kite-boarding', 'wheelchair-pushing', 'duathlon'].map(toSportType),
      ['strength_training', 'strength_training', 'kitesurfing', 'wheelchair', 'triathlon'],
    );
  });

  it('keeps the name of an unknown sport and names others by their sport', () => {
    const [record] = (read('workout') as { records: object[] }).records;
    const nameOf = (sport_name: string) => mapWorkouts({ ...record, sport_name }, context).workouts[0]?.name;
    assert.deepEqual(['weightlifting_msk', 'sauna', 'zorbing'].map(nameOf), [null, 'sauna', 'zorbing']);
  });

  it('maps sports by name', () => {
    assert.equal(toSportType('hiking/rucking'), 'hiking');
    assert.equal(toSportType('high_intensity_interval_training'), 'hiit');
    assert.equal(toSportType('functional fitness'), 'cross_training');
    assert.equal(toSportType('Cross Country Skiing'), 'cross_country_skiing');
    assert.equal(toSportType('sauna'), 'other');
  });
});

describe("WHOOP's webhooks, tokens and budgets", () => {
  const webhooks = (type: string) =>
    whoopWebhook
      .readWebhookItems(Buffer.from(JSON.stringify({ user_id: 7, id: 'a', type })))
      .map((webhook) => [webhook.kind, 'resource' in webhook ? webhook.resource : null]);

  it('reads a recovery with its sleep', () => {
    assert.deepEqual(webhooks('recovery.updated'), [['changed', 'sleep']]);
    assert.deepEqual(webhooks('recovery.deleted'), [
      ['changed', 'sleep'],
      ['reconcile', 'sleep'],
    ]);
    assert.deepEqual(webhooks('sleep.deleted'), [
      ['deleted', 'sleep'],
      ['reconcile', 'sleep'],
    ]);
    assert.deepEqual(webhooks('workout.updated'), [['changed', 'workout']]);
    assert.deepEqual(webhooks('workout.deleted'), [['deleted', 'workout']]);
    assert.deepEqual(webhooks('body.updated'), []);
  });

  it('reconciles all day values of a night', () => {
    const [, reconciled] = whoopWebhook.readWebhookItems(
      Buffer.from(JSON.stringify({ user_id: 7, id: 'a', type: 'sleep.deleted' })),
    );
    const of = { ...context, calledBy: read('sleep') };
    const reported = [...mapNights(read('recovery'), of).daily, ...mapCycles(read('cycle'), of).daily];
    assert.deepEqual(
      reconciled?.kind === 'reconcile' && new Set(reconciled.of),
      new Set(reported.map(({ metric }) => metric)),
    );
  });

  it('requests a refresh token each time', () => {
    assert.equal(whoopOAuth.refreshRequest?.('r').form?.scope, 'offline');
    assert.ok('offline' in whoopOAuth.scopes);
    const answer = { status: 200, headers: {}, body: read('token') };
    const tokens = whoopOAuth.readTokens(answer);
    assert.ok('accessToken' in tokens);
    assert.equal(tokens.scopes?.includes('read:sleep'), true);
  });

  it('reads the user id with every digit', () => {
    const [step] = whoopOAuth.afterConnect;
    const named = (body: unknown) => step?.readUserId({ status: 200, headers: {}, body });
    assert.equal(named(read('profile')), '10129');
    assert.equal(named({ user_id: '9007199254740993' }), '9007199254740993');
    assert.throws(() => named({ user_id: 2 ** 53 }), ProviderAnswerError);
  });

  it('reads which budget the headers describe', () => {
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
