// Garmin: the meaning and order of its summaries, and the verification of its webhooks.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFixture } from '../../../test/support/provider-fixture.ts';
import { listReported } from '../../../test/support/reported-samples.ts';
import type { MetricId } from '../../domain/metrics/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { FetchWindow, WebhookRequest } from '../contract.ts';
import type { ProviderRecords } from '../provider-records.ts';
import { garmin } from './index.ts';
import { mapSleeps } from './map-sleeps.ts';

const context = { zone: 'Europe/Paris', window: null };
const START = 1_772_403_030;
const night = { userId: 'u', summaryId: 's', startTimeInSeconds: START, startTimeOffsetInSeconds: 3_600 };

describe('summaries of Garmin', () => {
  it('keep their units and use the local date', () => {
    const { daily, samples } = map('dailies', readFixture('garmin', 'dailies'));
    const reported = new Map(
      daily.map(({ metric, value, unit, date }) => [String(metric), `${value} ${unit} ${date}`]),
    );
    assert.equal(reported.get('heart_rate_min'), '47 bpm 2026-03-02');
    assert.equal(reported.has('heart_rate'), false, 'the average is of seven days');
    assert.equal(reported.get('distance'), '7210 m 2026-03-02');
    assert.equal(reported.get('vigorous_activity'), '1860 s 2026-03-02');
    assert.equal(reported.get('resting_energy'), '1730 kcal 2026-03-02');
    assert.equal(reported.get('stress_time_high'), '3000 s 2026-03-02');
    assert.equal(reported.get('wheelchair_pushes'), '2140 count 2026-03-04');
    assert.equal(reported.get('wheelchair_distance'), '3850 m 2026-03-04');
    assert.deepEqual(listReported({ samples }, 'heart_rate').at(-1), {
      start: (1_772_406_000 + 3_180) * 1_000,
      end: (1_772_406_000 + 3_180) * 1_000,
      value: 61,
      unit: 'bpm',
      offsetMinutes: 60,
      method: 'automatic',
    });
  });

  it('add up the kinds of activity in a quarter hour, including zeros, unless one has no value', () => {
    const slot = { startTimeInSeconds: START, startTimeOffsetInSeconds: 0, durationInSeconds: 900 };
    const walking = { ...slot, steps: 93, distanceInMeters: 49, met: 3.36, activeTimeInSeconds: 450 };
    const sitting = { ...slot, steps: 0, met: 1, activeTimeInSeconds: 450 };
    const { samples } = map('epochs', { epochs: [walking, sitting] });
    assert.deepEqual(
      listReported({ samples }, 'steps').map(({ value, start, end }) => [value, end - start]),
      [[93, 900_000]],
    );
    assert.equal(listReported({ samples }, 'average_met')[0]?.value, 2.18);
    assert.equal(samples.has('distance' as MetricId), false);
  });

  it('add up wheelchair pushes of a quarter hour, which only some kinds of activity have', () => {
    const slot = { startTimeInSeconds: START, startTimeOffsetInSeconds: 0, durationInSeconds: 900 };
    const pushing = { ...slot, activityType: 'WHEELCHAIR_PUSHING', pushes: 120, pushDistanceInMeters: 240 };
    const sitting = { ...slot, activityType: 'SEDENTARY', steps: 0 };
    const { samples } = map('epochs', { epochs: [pushing, sitting] });
    assert.deepEqual(
      ['wheelchair_pushes', 'wheelchair_distance'].map((metric) => listReported({ samples }, metric)[0]?.value),
      [120, 240],
    );
    assert.deepEqual([samples.has('steps' as MetricId), samples.has('distance' as MetricId)], [false, false]);
  });

  it('drop values that were not measured: negative numbers are reasons, and 0 means no signal', () => {
    for (const [kind, series, metric] of [
      ['dailies', 'timeOffsetHeartRateSamples', 'heart_rate'],
      ['hrv', 'hrvValues', 'heart_rate_variability_rmssd'],
      ['pulseox', 'timeOffsetSpo2Values', 'blood_oxygen'],
      ['allDayRespiration', 'timeOffsetEpochToBreaths', 'respiratory_rate'],
      ['stressDetails', 'timeOffsetStressLevelValues', 'stress_score'],
    ] as const) {
      const values = { '0': 94, '60': -1, '120': null, '180': 0 };
      const { samples } = map(kind, [{ ...night, durationInSeconds: 600, [series]: values }]);
      assert.deepEqual(
        listReported({ samples }, metric).map(({ value }) => value),
        [94],
        kind,
      );
    }
  });

  it('use the local date of their start if there is no calendar date', () => {
    const startTimeInSeconds = Date.parse('2026-03-01T23:00:00Z') / 1_000;
    const start = { summaryId: 's', startTimeInSeconds, startTimeOffsetInSeconds: 3_600 };
    const west = { summaryId: 's', startTimeInSeconds, startTimeOffsetInSeconds: -25_200 };
    const dateOf = (kind: string, item: object) => map(kind, [item]).daily.map(({ date }) => date);
    assert.deepEqual(dateOf('dailies', { ...start, durationInSeconds: 86_400, steps: 1 }), ['2026-03-02']);
    assert.deepEqual(dateOf('dailies', { ...west, durationInSeconds: 86_400, steps: 1 }), ['2026-03-01']);
    const begun = { ...start, startTimeInSeconds: startTimeInSeconds - 1_800, durationInSeconds: 27_000 };
    assert.deepEqual(dateOf('hrv', { ...begun, lastNightAvg: 48 }), ['2026-03-02'], 'the night ends on it');
    assert.deepEqual(dateOf('skinTemp', { ...begun, avgDeviationCelsius: 0.1 }), ['2026-03-02']);
    const named = { ...start, calendarDate: '2026-03-05', steps: 1 };
    assert.deepEqual(dateOf('dailies', named), ['2026-03-05'], 'the date of Garmin wins');
  });

  it('use the VO2 max of cycling if there is none of running', () => {
    const capacityOf = (metrics: object) =>
      map('userMetrics', [{ calendarDate: '2026-03-02', ...metrics }]).daily.map(({ metric, value }) => [
        metric,
        value,
      ]);
    assert.deepEqual(capacityOf({ vo2Max: 46, vo2MaxCycling: 51 }), [['vo2_max', 46]]);
    assert.deepEqual(capacityOf({ vo2MaxCycling: 51 }), [['vo2_max', 51]]);
    assert.deepEqual(capacityOf({ fitnessAge: 30 }), []);
  });

  it('of a health snapshot name blood oxygen and the offset in two ways', () => {
    for (const summaryType of ['spo2', 'pulse_ox'])
      for (const offset of ['startTimeOffsetInSeconds', 'offsetStartTimeInSeconds']) {
        const snapshot = { summaryId: 's', startTimeInSeconds: START, [offset]: 7_200, durationInSeconds: 120 };
        const { samples } = map('healthSnapshot', [{ ...snapshot, summaries: [{ summaryType, avgValue: 97 }] }]);
        assert.deepEqual(
          listReported({ samples }, 'blood_oxygen').map(({ value, offsetMinutes }) => [value, offsetMinutes]),
          [[97, 120]],
          `${summaryType} ${offset}`,
        );
      }
  });

  it('reject an undocumented response', () => {
    for (const body of [null, 7, { dailies: 7 }])
      assert.throws(() => map('dailies', body), { name: 'ProviderAnswerError' });
  });

  it('drop only a bad field and values that depend on it', () => {
    const good = { ...night, calendarDate: '2026-03-02', floorsClimbed: 3 };
    const { daily, unreadable } = map('dailies', [
      7,
      { ...good, calendarDate: 'x', startTimeInSeconds: 'x' },
      { ...good, steps: 'a' },
    ]);
    assert.deepEqual(
      daily.map(({ metric, value }) => [metric, value]),
      [['floors_climbed', 3]],
    );
    assert.deepEqual(Object.fromEntries(unreadable), { record: 2, calendarDate: 1, startTimeInSeconds: 1, steps: 1 });
  });
});

describe('sleeps of Garmin', () => {
  it('end with their last stage, and exclude time awake from time asleep', () => {
    const [reported] = map('sleeps', readFixture('garmin', 'sleeps')).sleep;
    assert.equal(reported?.end, 1_772_430_750_000);
    assert.equal(reported?.asleepMinutes, 431);
    assert.equal(reported?.awakeMinutes, 31);
    assert.equal(reported?.inBedMinutes, null);
    assert.deepEqual(
      reported?.stages?.map(({ stage }) => stage),
      ['light', 'deep', 'light', 'rem', 'awake'],
    );
  });

  it('have the mean of their measurements', () => {
    const timeOffsetSleepSpo2 = { '0': 95, '60': 97, '120': -1 };
    const [reported] = map('sleeps', [
      { ...night, durationInSeconds: 600, awakeDurationInSeconds: 0, timeOffsetSleepSpo2 },
    ]).sleep;
    assert.equal(reported?.bloodOxygen, 96);
    assert.equal(reported?.respiratoryRate, null);
  });

  it('count time that could not be measured as time in bed, not as sleep', () => {
    const period = (from: number, to: number) => [{ startTimeInSeconds: START + from, endTimeInSeconds: START + to }];
    const [reported] = map('sleeps', [
      {
        ...night,
        durationInSeconds: 9_000,
        deepSleepDurationInSeconds: 3_600,
        lightSleepDurationInSeconds: 3_600,
        remSleepInSeconds: 0,
        awakeDurationInSeconds: 0,
        unmeasurableSleepInSeconds: 1_800,
        sleepLevelsMap: { light: period(0, 3_600), unmeasurable: period(3_600, 5_400), deep: period(5_400, 9_000) },
      },
    ]).sleep;
    assert.deepEqual(
      reported?.stages?.map(({ stage }) => stage),
      ['light', 'in_bed', 'deep'],
    );
    assert.deepEqual([reported?.asleepMinutes, reported?.remMinutes], [120, 0]);
    assert.equal((reported?.end ?? 0) - (reported?.start ?? 0), 9_000_000);
    const [typed] = map('sleeps', [
      { ...night, durationInSeconds: 28_800, awakeDurationInSeconds: 0, unmeasurableSleepInSeconds: 3_600 },
    ]).sleep;
    assert.equal(typed?.asleepMinutes, 420);
    const [nothing] = map('sleeps', [
      { ...night, durationInSeconds: 28_800, awakeDurationInSeconds: 0, unmeasurableSleepInSeconds: 28_800 },
    ]).sleep;
    assert.equal(nothing?.asleepMinutes, null);
    const [spelled] = map('sleeps', [
      { ...night, durationInSeconds: 28_800, awakeDurationInSeconds: 0, unmeasurableSleepDurationInSeconds: 3_600 },
    ]).sleep;
    assert.equal(spelled?.asleepMinutes, 420, 'under its other name');
  });

  it('have null, not 0 minutes, without stages', () => {
    const zeros = {
      ...night,
      durationInSeconds: 28_800,
      deepSleepDurationInSeconds: 0,
      lightSleepDurationInSeconds: 0,
      remSleepInSeconds: 0,
      awakeDurationInSeconds: 0,
    };
    for (const validation of ['OFF_WRIST', 'MANUAL', 'AUTO_FINAL']) {
      const [reported] = map('sleeps', [{ ...zeros, validation, sleepLevelsMap: {} }]).sleep;
      assert.deepEqual(
        [reported?.stages, reported?.deepMinutes, reported?.lightMinutes, reported?.remMinutes, reported?.awakeMinutes],
        [null, null, null, null, null],
        validation,
      );
      assert.equal(reported?.asleepMinutes, 480, validation);
    }
    const light = [{ startTimeInSeconds: START, endTimeInSeconds: START + 28_800 }];
    const [guessed] = map('sleeps', [
      { ...zeros, lightSleepDurationInSeconds: 28_800, validation: 'OFF_WRIST', sleepLevelsMap: { light } },
    ]).sleep;
    assert.deepEqual([guessed?.stages, guessed?.lightMinutes, guessed?.deepMinutes], [null, null, null]);
    const [lightOnly] = map('sleeps', [
      { ...zeros, lightSleepDurationInSeconds: 28_800, validation: 'ENHANCED_FINAL', sleepLevelsMap: { light } },
    ]).sleep;
    assert.deepEqual([lightOnly?.lightMinutes, lightOnly?.deepMinutes], [480, 0], 'a measured 0 stays');
  });

  it('replace their tentative versions; a day with naps only has no night', () => {
    const first = map('sleeps', [{ ...night, durationInSeconds: 600, awakeDurationInSeconds: 0 }]).sleep[0]?.key;
    const last = map('sleeps', [{ ...night, durationInSeconds: 900, awakeDurationInSeconds: 60 }]).sleep[0]?.key;
    assert.equal(first, last);
    const naps = [{ napStartTimeInSeconds: START, napDurationInSeconds: 600, napOffsetInSeconds: 3_600 }];
    assert.deepEqual(
      map('sleeps', [{ ...night, durationInSeconds: 0, naps }]).sleep.map(({ key }) => key),
      [`nap-${START}`],
    );
  });
});

describe('activities of Garmin', () => {
  it('are reported once by their details in any order; manual ones by their summary', () => {
    const summaries = map('activities', readFixture('garmin', 'activities')).workouts;
    const details = map('activityDetails', readFixture('garmin', 'activityDetails')).workouts;
    assert.deepEqual(
      summaries.map(({ key, sportType, method }) => [key, sportType, method]),
      [['1700000002', 'pool_swimming', 'manual']],
    );
    assert.deepEqual(
      details.map(({ key, sportType }) => [key, sportType]),
      [
        ['1700000001', 'running'],
        ['1700000003', 'cycling'],
        ['1700000004', 'wheelchair_run'],
      ],
    );
    const [run] = details;
    assert.equal(run?.distanceKm, 5.1034);
    assert.equal(run?.activeCalories, 312);
    assert.deepEqual(
      run?.heartRateSamples?.map(({ bpm }) => bpm),
      [101, 131],
    );
  });

  it('end after their pauses, and their duration excludes pauses', () => {
    const details = {
      activityId: 1,
      summary: { ...night, durationInSeconds: 600, activityType: 'UNHEARD_OF' },
      samples: [{ startTimeInSeconds: START + 900, clockDurationInSeconds: 900 }],
    };
    const [reported] = map('activityDetails', [details]).workouts;
    assert.equal(reported?.durationMinutes, 10);
    assert.equal((reported?.end ?? 0) - (reported?.start ?? 0), 900_000);
    assert.deepEqual([reported?.sportType, reported?.name], ['other', 'UNHEARD_OF']);
    assert.equal(reported?.heartRateSamples, null);
  });

  it('in a wheelchair have neither steps nor the speed and power of a run', () => {
    for (const activityType of ['WHEELCHAIR_PUSH_RUN', 'WHEELCHAIR_PUSH_WALK']) {
      const details = {
        activityId: 1,
        summary: { ...night, durationInSeconds: 600, activityType, distanceInMeters: 1_500, steps: 700 },
        samples: [{ startTimeInSeconds: START + 1, heartRate: 120, speedMetersPerSecond: 2.5, powerInWatts: 90 }],
      };
      const { workouts, samples } = map('activityDetails', [details]);
      assert.deepEqual([workouts[0]?.steps, workouts[0]?.distanceKm], [null, 1.5], activityType);
      assert.equal(workouts[0]?.heartRateSamples?.length, 1);
      assert.deepEqual([...samples.keys()], [], activityType);
    }
  });

  it('have a route and laps only for accounts that keep them', () => {
    const details = {
      activityId: 1,
      summary: { ...night, durationInSeconds: 600, activityType: 'RUNNING', startingLatitudeInDegree: 60.1 },
      samples: [
        { startTimeInSeconds: START + 1, latitudeInDegree: 60.1, longitudeInDegree: 25.2, elevationInMeters: 12 },
        { startTimeInSeconds: START + 2, latitudeInDegree: 60.2, longitudeInDegree: 25.2 },
        { startTimeInSeconds: START + 3, heartRate: 120 },
      ],
      laps: [START + 200, START, START + 200].map((startTimeInSeconds) => ({ startTimeInSeconds })), // one twice
    };
    const kind = garmin.pushed?.find(({ name }) => name === 'activityDetails') ?? assert.fail();
    const [off] = kind.map([details], { zone: 'UTC', window: null }).workouts;
    assert.deepEqual([off?.route, off?.laps], [undefined, undefined]);
    const [on] = kind.map([details], { zone: 'UTC', window: null, keepsRoutes: true }).workouts;
    assert.deepEqual(
      on?.route?.map(({ latitude, longitude, elevationM }) => [latitude, longitude, elevationM]),
      [
        [60.1, 25.2, 12],
        [60.2, 25.2, null],
      ],
    );
    assert.deepEqual(
      on?.laps?.map(({ start, end }) => (end - start) / 1_000),
      [200, 400],
    );
    const stripped = JSON.stringify(kind.withoutPositions?.([details]));
    assert.doesNotMatch(stripped, /Degree|60\.1|25\.2/);
    assert.match(stripped, /"heartRate":120/);
  });

  it('are read from the summary if they are too long for details', () => {
    const summary = { ...night, activityId: 1, activityType: 'ULTRA_RUN', durationInSeconds: 100_000 };
    assert.equal(map('activities', [summary]).workouts.length, 1);
  });
});

describe('webhooks of Garmin', () => {
  const secrets = { clientId: 'id', clientSecret: 's', verificationToken: 'hidden', publicKeys: {} };
  const request: WebhookRequest = {
    method: 'POST',
    path: '/n/garmin/hidden',
    query: {},
    headers: {},
    body: Buffer.from('{}'),
  };
  const verify = (changes: Partial<WebhookRequest>, reported = secrets) =>
    garmin.webhook?.verify({ ...request, ...changes }, reported, new Date(0));
  const read = (body: unknown) => garmin.webhook?.readWebhookItems(Buffer.from(JSON.stringify(body))) ?? [];

  it('are trusted for the secret in their path, unless they name another application', () => {
    assert.equal(verify({ headers: { 'garmin-client-id': 'id' } }), 'genuine');
    assert.equal(verify({ headers: { 'garmin-client-id': 'other' } }), 'forged');
    assert.equal(verify({ path: '/n/garmin/hidden2' }), 'forged');
    assert.equal(verify({ path: '/n/garmin/' }, { ...secrets, verificationToken: '' }), 'forged');
  });

  it('are split by user, and summaries without a user are dropped', () => {
    const dailies = [{ userId: 'a', steps: 1 }, { userId: 'b', steps: 2 }, { userId: 'a', steps: 3 }, { steps: 4 }];
    assert.deepEqual(read({ dailies, moveIQActivities: [{ userId: 'a' }], later: 7 }), [
      { kind: 'pushed', providerUserId: 'a', resource: 'dailies', body: [dailies[0], dailies[2]] },
      { kind: 'pushed', providerUserId: 'b', resource: 'dailies', body: [dailies[1]] },
    ]);
  });

  it('only follow links to Garmin', () => {
    const links = [
      'https://evil.example/wellness-api/rest/dailies',
      'http://apis.garmin.com/wellness-api/rest/dailies',
      'https://apis.garmin.com.evil.example/wellness-api/rest/dailies',
      'https://apis.garmin.com@evil.example/wellness-api/rest/dailies',
      'https://user@apis.garmin.com/wellness-api/rest/dailies',
      'https://apis.garmin.com:8443/wellness-api/rest/dailies',
      'https://apis.garmin.com/wellness-api/rest/../../admin',
      'https://apis.garmin.com/other',
      'wellness-api/rest/dailies',
    ];
    for (const callbackURL of links)
      assert.deepEqual(read({ dailies: [{ userId: 'a', callbackURL }] }), [], callbackURL);
  });
});

describe('history of Garmin', () => {
  it('is requested by kind, in seconds', () => {
    const window = { from: 1_772_406_000_500, to: 1_774_998_000_000 } as FetchWindow;
    assert.deepEqual(garmin.backfill?.request('pulseox', window), {
      origin: 'api',
      method: 'GET',
      path: '/wellness-api/rest/backfill/pulseOx',
      query: { summaryStartTimeInSeconds: '1772406000', summaryEndTimeInSeconds: '1774998000' },
      as: 'person',
    });
  });

  it('is pushed for every requested kind', () => {
    const kinds = garmin.pushed?.map(({ name }) => name) ?? [];
    for (const kind of garmin.backfill?.kinds ?? []) assert.ok(kinds.includes(kind), kind);
  });

  it('reads accepted, done and denied from the response', () => {
    const read = (status: number, body: unknown = null) => garmin.backfill?.readAnswer({ status, headers: {}, body });
    assert.deepEqual(
      [202, 409, 401, 403, 412, 429, 503, 400].map((status) => read(status)),
      ['accepted', 'done', 'unauthorized', 'denied', 'denied', 'rate_limited', 'unavailable', 'bad_request'],
    );
    assert.equal(read(400, { errorMessage: 'start 2019 before min start time of 2026' }), 'denied');
  });
});

describe('connecting to Garmin', () => {
  it('reads the user id, and fails if nothing is shared', () => {
    const [who, permissions] = garmin.oauth.afterConnect;
    const answer = (body: unknown) => ({ status: 200, headers: {}, body });
    assert.equal(who?.readUserId(answer({ userId: 'a1' })), 'a1');
    assert.equal(permissions?.readUserId(answer(['HEALTH_EXPORT'])), null);
    assert.equal(permissions?.readUserId(answer({ permissions: ['ACTIVITY_EXPORT'] })), null);
    assert.throws(() => permissions?.readUserId(answer(['COURSE_IMPORT'])), { name: 'ProviderAnswerError' });
  });

  it('reads tokens and definite refusals', () => {
    const tokens = garmin.oauth.readTokens({ status: 200, headers: {}, body: readFixture('garmin', 'token') });
    assert.ok(
      !('refused' in tokens) && tokens.refreshToken === 'example-refresh' && tokens.expiresInSeconds === 86_400,
    );
    const refusal = garmin.oauth.readTokens({ status: 400, headers: {}, body: { error: 'invalid_grant' } });
    assert.deepEqual(refusal, { refused: 'invalid_grant', isDefinite: true });
  });
});

function map(name: string, body: unknown): ProviderRecords {
  const kind = garmin.pushed?.find((candidate) => candidate.name === name);
  if (kind === undefined) throw new Error(`no kind ${name}`);
  return kind.map(body, context);
}

it('keeps a night without stages and time awake', () => {
  const night = { summaryId: 's', startTimeInSeconds: 1_705_273_200, durationInSeconds: 28_800 };
  const { sleep } = mapSleeps({ sleeps: [night] });
  assert.deepEqual(
    sleep.map(({ start, end, asleepMinutes, awakeMinutes }) => [
      (end - start) / MINUTE_MS,
      asleepMinutes,
      awakeMinutes,
    ]),
    [[480, 480, null]],
  );
});
