// Garmin: what its summaries mean, which order they come in, and whom a notice is believed from.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFixture } from '../../../test/support/provider-fixture.ts';
import { listTold } from '../../../test/support/told-samples.ts';
import type { MetricId } from '../../domain/metrics/index.ts';
import type { FetchWindow, NoticeRequest } from '../contract.ts';
import type { ProviderRecords } from '../provider-records.ts';
import { garmin } from './index.ts';

const context = { zone: 'Europe/Paris', window: null };
const START = 1_772_403_030;
const night = { userId: 'u', summaryId: 's', startTimeInSeconds: START, startTimeOffsetInSeconds: 3_600 };

describe('summaries of Garmin', () => {
  it('keep their own units, and tell days by the date on the wall', () => {
    const { daily, samples } = map('dailies', readFixture('garmin', 'dailies'));
    const told = new Map(daily.map(({ metric, value, unit, date }) => [String(metric), `${value} ${unit} ${date}`]));
    assert.equal(told.get('distance'), '7210 m 2026-03-02');
    assert.equal(told.get('vigorous_activity'), '1860 s 2026-03-02');
    assert.equal(told.get('resting_energy'), '1730 kcal 2026-03-02');
    assert.equal(told.get('stress_time_high'), '3000 s 2026-03-02');
    assert.deepEqual(listTold({ samples }, 'heart_rate').at(-1), {
      start: (1_772_406_000 + 3_180) * 1_000,
      end: (1_772_406_000 + 3_180) * 1_000,
      value: 61,
      unit: 'bpm',
      offsetMinutes: 60,
      method: 'automatic',
    });
  });

  it('add up the kinds of activity in a quarter hour, zeros too, and not where one says nothing', () => {
    const slot = { startTimeInSeconds: START, startTimeOffsetInSeconds: 0, durationInSeconds: 900 };
    const walking = { ...slot, steps: 93, distanceInMeters: 49, met: 3.36, activeTimeInSeconds: 450 };
    const sitting = { ...slot, steps: 0, met: 1, activeTimeInSeconds: 450 };
    const { samples } = map('epochs', { epochs: [walking, sitting] });
    assert.deepEqual(
      listTold({ samples }, 'steps').map(({ value, start, end }) => [value, end - start]),
      [[93, 900_000]],
    );
    assert.equal(listTold({ samples }, 'average_met')[0]?.value, 2.18);
    assert.equal(samples.has('distance' as MetricId), false);
  });

  it('leave out what was not measured: negative is a reason, not a value', () => {
    const series = { ...night, timeOffsetEpochToBreaths: { '0': 14, '60': -1, '120': null } };
    const { samples } = map('allDayRespiration', [series]);
    assert.deepEqual(
      listTold({ samples }, 'respiratory_rate').map(({ value }) => value),
      [14],
    );
  });

  it('refuse nonsense as an answer that nobody documented', () => {
    for (const body of [null, 7, { dailies: 7 }])
      assert.throws(() => map('dailies', body), { name: 'ProviderAnswerError' });
  });

  it('drop a bad field alone, and what cannot exist without it', () => {
    const good = { ...night, calendarDate: '2026-03-02', floorsClimbed: 3 };
    const { daily, unreadable } = map('dailies', [7, { ...good, calendarDate: 'x' }, { ...good, steps: 'a' }]);
    assert.deepEqual(
      daily.map(({ metric, value }) => [metric, value]),
      [['floors_climbed', 3]],
    );
    assert.deepEqual(Object.fromEntries(unreadable), { record: 2, calendarDate: 1, steps: 1 });
  });
});

describe('sleeps of Garmin', () => {
  it('end with their last stage, and are asleep without the time awake', () => {
    const [told] = map('sleeps', readFixture('garmin', 'sleeps')).sleep;
    assert.equal(told?.end, 1_772_430_750_000);
    assert.equal(told?.asleepMinutes, 431);
    assert.equal(told?.awakeMinutes, 31);
    assert.equal(told?.inBedMinutes, null);
    assert.deepEqual(
      told?.stages?.map(({ stage }) => stage),
      ['light', 'deep', 'light', 'rem', 'awake'],
    );
  });

  it('have means of what was measured in them', () => {
    const timeOffsetSleepSpo2 = { '0': 95, '60': 97, '120': -1 };
    const [told] = map('sleeps', [
      { ...night, durationInSeconds: 600, awakeDurationInSeconds: 0, timeOffsetSleepSpo2 },
    ]).sleep;
    assert.equal(told?.bloodOxygen, 96);
    assert.equal(told?.respiratoryRate, null);
  });

  it('that could not be measured are sleep of no known kind', () => {
    const sleepLevelsMap = { unmeasurable: [{ startTimeInSeconds: START, endTimeInSeconds: START + 60 }] };
    const [told] = map('sleeps', [{ ...night, sleepLevelsMap }]).sleep;
    assert.equal(told?.stages?.[0]?.stage, 'asleep');
  });

  it('replace their tentative ones, and a day of naps alone has no night', () => {
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
  it('are told once, by their details, whichever comes first; those typed in by their summary', () => {
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

  it('last with their pauses, and their time is without', () => {
    const details = {
      activityId: 1,
      summary: { ...night, durationInSeconds: 600, activityType: 'UNHEARD_OF' },
      samples: [{ startTimeInSeconds: START + 900, clockDurationInSeconds: 900 }],
    };
    const [told] = map('activityDetails', [details]).workouts;
    assert.equal(told?.durationMinutes, 10);
    assert.equal((told?.end ?? 0) - (told?.start ?? 0), 900_000);
    assert.equal(told?.sportType, 'other');
    assert.equal(told?.heartRateSamples, null);
  });

  it('that are too long for details are taken from the summary', () => {
    const summary = { ...night, activityId: 1, activityType: 'ULTRA_RUN', durationInSeconds: 100_000 };
    assert.equal(map('activities', [summary]).workouts.length, 1);
  });
});

describe('notices of Garmin', () => {
  const secrets = { clientId: 'id', clientSecret: 's', verificationToken: 'hidden', publicKeys: {} };
  const request: NoticeRequest = {
    method: 'POST',
    path: '/n/garmin/hidden',
    query: {},
    headers: {},
    body: Buffer.from('{}'),
  };
  const verify = (changes: Partial<NoticeRequest>, told = secrets) =>
    garmin.webhook?.verify({ ...request, ...changes }, told, new Date(0));
  const read = (body: unknown) => garmin.webhook?.readNotices(Buffer.from(JSON.stringify(body))) ?? [];

  it('are believed for the secret in their path, and not if they name another application', () => {
    assert.equal(verify({ headers: { 'garmin-client-id': 'id' } }), 'genuine');
    assert.equal(verify({ headers: { 'garmin-client-id': 'other' } }), 'forged');
    assert.equal(verify({ path: '/n/garmin/hidden2' }), 'forged');
    assert.equal(verify({ path: '/n/garmin/' }, { ...secrets, verificationToken: '' }), 'forged');
  });

  it('are told apart by person, and what belongs to nobody is left out', () => {
    const dailies = [{ userId: 'a', steps: 1 }, { userId: 'b', steps: 2 }, { userId: 'a', steps: 3 }, { steps: 4 }];
    assert.deepEqual(read({ dailies, stressDetails: [{ userId: 'a' }], later: 7 }), [
      { kind: 'pushed', providerUserId: 'a', resource: 'dailies', body: [dailies[0], dailies[2]] },
      { kind: 'pushed', providerUserId: 'b', resource: 'dailies', body: [dailies[1]] },
    ]);
  });

  it('lead nowhere but to Garmin', () => {
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
  it('is asked for by kind, in seconds', () => {
    const window = { from: 1_772_406_000_500, to: 1_774_998_000_000 } as FetchWindow;
    assert.deepEqual(garmin.backfill?.request('pulseox', window), {
      origin: 'api',
      method: 'GET',
      path: '/wellness-api/rest/backfill/pulseOx',
      query: { summaryStartTimeInSeconds: '1772406000', summaryEndTimeInSeconds: '1774998000' },
      as: 'person',
    });
  });

  it('is pushed for every kind that is asked for', () => {
    const kinds = garmin.pushed?.map(({ name }) => name) ?? [];
    for (const kind of garmin.backfill?.kinds ?? []) assert.ok(kinds.includes(kind), kind);
  });

  it('tells by its answers whether it comes, has come, or never will', () => {
    const read = (status: number, body: unknown = null) => garmin.backfill?.readAnswer({ status, headers: {}, body });
    assert.deepEqual(
      [202, 409, 401, 403, 412, 429, 503, 400].map((status) => read(status)),
      ['accepted', 'done', 'unauthorized', 'denied', 'denied', 'rate_limited', 'unavailable', 'bad_request'],
    );
    assert.equal(read(400, { errorMessage: 'start 2019 before min start time of 2026' }), 'denied');
  });
});

describe('connecting to Garmin', () => {
  it('learns who it is, and ends where nothing is shared', () => {
    const [who, permissions] = garmin.oauth.afterConnect;
    const answer = (body: unknown) => ({ status: 200, headers: {}, body });
    assert.equal(who?.readUserId(answer({ userId: 'a1' })), 'a1');
    assert.equal(permissions?.readUserId(answer(['HEALTH_EXPORT'])), null);
    assert.equal(permissions?.readUserId(answer({ permissions: ['ACTIVITY_EXPORT'] })), null);
    assert.throws(() => permissions?.readUserId(answer(['COURSE_IMPORT'])), { name: 'ProviderAnswerError' });
  });

  it('reads the tokens, and which refusal is definite', () => {
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
