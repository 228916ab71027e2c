// Google Health: integers as strings, filters and pages, and the verification of its webhooks.
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { FIXTURE_WINDOW, readFixture } from '../../../test/support/provider-fixture.ts';
import { listReported } from '../../../test/support/reported-samples.ts';
import type { FetchWindow, ProviderAccount, WebhookRequest } from '../contract.ts';
import type { ProviderRecords } from '../provider-records.ts';
import { googleHealth } from './index.ts';
import { mapExercise } from './map-exercise.ts';

const account: ProviderAccount = { providerUserId: 'u', accessToken: 'a', refreshToken: 'r' };

describe('points of Google Health', () => {
  it('use units of the catalog', () => {
    const daily = (name: string) =>
      map(name).daily.map(({ metric, value, unit, date }) => `${metric} ${value} ${unit} ${date}`);
    assert.deepEqual(daily('distance-rollup'), ['distance 7210 m 2026-03-02']);
    assert.deepEqual(daily('sedentary-period-rollup'), ['sedentary_time 33810 s 2026-03-02']);
    assert.deepEqual(daily('active-minutes-rollup'), [
      'light_activity 180 min 2026-03-02',
      'moderate_activity 18 min 2026-03-02',
      'vigorous_activity 31 min 2026-03-02',
    ]);
    assert.equal(listReported(map('height'), 'height')[0]?.value, 178);
    const [weight] = listReported(map('weight'), 'weight');
    assert.deepEqual([weight?.value, weight?.unit, weight?.offsetMinutes, weight?.method], [72_400, 'g', 60, 'manual']);
  });

  it('have the recording method of listed points, and unknown for merged points and days', () => {
    const dataSource = { recordingMethod: 'ACTIVELY_MEASURED', platform: 'FITBIT' };
    const sampleTime = { physicalTime: '2026-03-02T07:00:05Z', utcOffset: '3600s' };
    const scale = { dataSource, weight: { sampleTime, weightGrams: 72_000 } };
    assert.equal(listReported(map('weight', { dataPoints: [scale] }), 'weight')[0]?.method, 'active');
    for (const [name, metric] of [
      ['heart-rate', 'heart_rate'],
      ['steps', 'steps'],
      ['nutrition-log', 'protein'],
      ['body-fat', 'body_fat_percentage'], // listed, without a source
    ] as const)
      assert.deepEqual(
        new Set(listReported(map(name), metric).map(({ method }) => method)),
        new Set(['unknown']),
        name,
      );
    const sessions = [...map('sleep').sleep, ...map('exercise').workouts];
    assert.ok(sessions.length > 3);
    for (const { key, method } of sessions) assert.equal(method, 'unknown', key);
    for (const name of ['steps-rollup', 'active-minutes-rollup', 'daily-resting-heart-rate', 'total-calories-rollup'])
      for (const { method } of [...map(name).daily, { method: map(name).daily[0]?.method }])
        assert.equal(method, 'unknown', name);
  });

  it('include food and drink by meal and by day', () => {
    const [protein] = listReported(map('nutrition-log'), 'protein');
    const times = [protein?.start, protein?.end].map((ms) => new Date(ms ?? 0).toISOString());
    assert.deepEqual([protein?.value, protein?.unit], [31, 'g']);
    assert.deepEqual(times, ['2026-03-02T17:00:00.000Z', '2026-03-02T17:30:00.000Z']);
    const days = new Map(
      map('nutrition-log-rollup').daily.map(({ metric, value, unit }) => [metric, `${value} ${unit}`]),
    );
    const named = ['dietary_energy', 'carbohydrates', 'fat', 'protein', 'sodium', 'folate'] as const;
    assert.deepEqual(
      named.map((metric) => days.get(metric as never)),
      ['1830 kcal', '214 g', '58 g', '93 g', '2.22 g', '0.000285 g'],
    );
    assert.equal(days.size, 26, 'biotin is not a metric');
    assert.deepEqual(
      map('hydration-log-rollup').daily.map(({ metric, value, unit }) => [metric, value, unit]),
      [['water', 1_650, 'mL']],
    );
    assert.equal(listReported(map('hydration-log'), 'water')[0]?.value, 330);
  });

  it('include zones, total energy, VO2 max and sleep respiration', () => {
    assert.deepEqual(
      map('time-in-heart-rate-zone-rollup').daily.map(({ metric, value, unit }) => [metric, value, unit]),
      [
        ['heart_rate_zone_2_time', 2_520, 's'],
        ['heart_rate_zone_3_time', 900, 's'],
        ['heart_rate_zone_5_time', 0, 's'],
      ],
    );
    assert.deepEqual(
      map('total-calories-rollup').daily.map(({ metric, value }) => [metric, value]),
      [['total_calories', 2_240.5]],
    );
    assert.deepEqual(
      ['vo2-max', 'run-vo2-max'].map((name) =>
        listReported(map(name), 'vo2_max').map(({ value, method }) => [value, method]),
      ),
      [[[47.2, 'manual']], [[46.4, 'unknown']]],
    );
    assert.equal(listReported(map('respiratory-rate-sleep-summary'), 'respiratory_rate')[0]?.value, 14.1);
  });

  it('keep the two kinds of heart rate variability apart', () => {
    const { samples } = map('heart-rate-variability');
    assert.equal(listReported({ samples }, 'heart_rate_variability_rmssd')[0]?.value, 44.5);
    assert.equal(listReported({ samples }, 'heart_rate_variability')[0]?.value, 58.2);
    const onlyRmssd = {
      sampleTime: { physicalTime: '2026-03-02T07:00:05Z' },
      rootMeanSquareOfSuccessiveDifferencesMilliseconds: 40,
    };
    const reported = map('heart-rate-variability', { dataPoints: [{ heartRateVariability: onlyRmssd }] });
    assert.deepEqual([...reported.samples.keys()], ['heart_rate_variability_rmssd']);
  });

  it('reject an undocumented response', () => {
    for (const body of [null, 7, { dataPoints: 7 }])
      assert.throws(() => map('steps', body), { name: 'ProviderAnswerError' });
  });

  it('drop only a bad point', () => {
    const interval = { startTime: '2026-03-02T07:00:00Z', endTime: '2026-03-02T07:01:00Z' };
    const points = [
      { interval, count: 'many' },
      { interval: { ...interval, startTime: 'x' }, count: '1' },
      { count: '1' },
      7,
      { interval, count: '5' },
    ];
    const { samples, unreadable } = map('steps', { dataPoints: points.map((steps) => ({ steps })) });
    assert.deepEqual(
      listReported({ samples }, 'steps').map(({ value }) => value),
      [5],
    );
    assert.deepEqual(Object.fromEntries(unreadable), { count: 1, startTime: 1, record: 2, steps: 1 });
  });

  it('have no deviation while the baseline is NaN, and keep the night and the page', () => {
    const date = { year: 2026, month: 3, day: 2 };
    const nights = ['NaN', 'Infinity', '-Infinity', 34].map((baselineTemperatureCelsius, index) => ({
      dailySleepTemperatureDerivations: {
        date: { ...date, day: index + 1 },
        nightlyTemperatureCelsius: 34.2,
        baselineTemperatureCelsius,
      },
    }));
    const { daily, unreadable } = map('daily-sleep-temperature-derivations', { dataPoints: nights });
    const datesOf = (id: string) =>
      daily.filter(({ metric }) => metric === id).map((reported) => reported.date.slice(-2));
    assert.deepEqual(datesOf('sleep_skin_temperature'), ['01', '02', '03', '04']);
    assert.deepEqual(datesOf('sleep_temperature_deviation'), ['04']);
    // Google sends NaN if there is none yet; infinity is an error.
    assert.deepEqual(Object.fromEntries(unreadable), { baselineTemperatureCelsius: 2 });
  });

  it('keep naps and sleeps without stages', () => {
    const [night, classic, nap] = map('sleep').sleep;
    assert.deepEqual([night?.asleepMinutes, night?.inBedMinutes, night?.deepMinutes], [451, 462, 60]);
    assert.deepEqual(
      classic?.stages?.map(({ stage }) => stage),
      ['asleep', 'in_bed', 'awake'],
    );
    assert.deepEqual([classic?.deepMinutes, classic?.remMinutes, classic?.inBedMinutes], [null, null, 450]);
    assert.deepEqual([nap?.key, nap?.asleepMinutes, nap?.stages], ['dp-nap-1', 22, null]);
  });

  it('map exercises to our sports', () => {
    const [run, swim] = map('exercise').workouts;
    assert.deepEqual(run?.sourceZones, { minutes: [0, 10, 20, 0, 0], isApproximate: true });
    assert.equal(swim?.sourceZones, null);
    assert.deepEqual(
      [run?.sportType, run?.distanceKm, run?.durationMinutes, run?.steps],
      ['running', 5.1034, 31.05, 5_034],
    );
    assert.deepEqual([swim?.sportType, swim?.swimmingLapLengthM, swim?.steps], ['pool_swimming', 25, null]);
  });
});

describe('exercises of other vendors in Google Health', () => {
  const interval = { startTime: '2026-03-02T06:05:10Z', startUtcOffset: '0s', endTime: '2026-03-02T06:36:41Z' };
  const recordedBy = (dataSource: object) => {
    const point = { dataPointName: 'a/ex-9', dataSource, exercise: { interval, exerciseType: 'RUNNING' } };
    return mapExercise({ dataPoints: [point] }).workouts[0]?.recordedBy;
  };

  it('name the app or device, else the platform', () => {
    const application = { packageName: 'com.garmin.android.apps.connectmobile' };
    assert.deepEqual(recordedBy({ platform: 'HEALTH_CONNECT', application }), { vendor: 'garmin', id: null });
    assert.deepEqual(recordedBy({ platform: 'HEALTH_KIT', device: { manufacturer: 'Polar' } }), {
      vendor: 'polar',
      id: null,
    });
    assert.deepEqual(recordedBy({ platform: 'HEALTH_KIT' }), { vendor: 'apple_health', id: null });
    assert.deepEqual(recordedBy({ platform: 'FIT' }), { vendor: null, id: null });
  });

  it('are not those of Fitbit', () => {
    const application = { packageName: 'com.fitbit.FitbitMobile' };
    assert.equal(recordedBy({ platform: 'FITBIT' }), null);
    assert.equal(recordedBy({ platform: 'HEALTH_CONNECT', application }), null);
    assert.equal(recordedBy({}), null);
  });
});

describe('requests to Google Health', () => {
  const ask = (name: string, cursor: string | null = null) => find(name).request(FIXTURE_WINDOW, cursor, account);

  it('list manual measurements and reconcile everything else', () => {
    const isListed = (name: string) => ask(name).path.endsWith('/dataPoints');
    const names = googleHealth.resources.map(({ name }) => name);
    assert.deepEqual(names.filter(isListed), [
      'blood-glucose',
      'core-body-temperature',
      'weight',
      'body-fat',
      'height',
      'vo2-max',
    ]);
  });

  it('filter each kind by its own time field', () => {
    const filter = (name: string) => ask(name).query?.filter;
    assert.equal(
      filter('heart-rate'),
      'heart_rate.sample_time.physical_time >= "2026-03-01T00:00:00.000Z" AND heart_rate.sample_time.physical_time < "2026-03-02T00:00:00.000Z"',
    );
    assert.equal(
      filter('sleep'),
      'sleep.interval.end_time >= "2026-03-01T00:00:00.000Z" AND sleep.interval.end_time < "2026-03-02T00:00:00.000Z"',
    );
    assert.equal(
      filter('nutrition-log'),
      'nutrition_log.interval.civil_start_time >= "2026-03-01" AND nutrition_log.interval.civil_start_time < "2026-03-03"',
    );
    assert.equal(
      filter('exercise'),
      'exercise.interval.civil_start_time >= "2026-03-01" AND exercise.interval.civil_start_time < "2026-03-03"',
    );
    assert.equal(filter('daily-vo2-max'), 'daily_vo2_max.date >= "2026-03-01" AND daily_vo2_max.date < "2026-03-03"');
  });

  it('roll up whole days, including the last', () => {
    assert.deepEqual(ask('steps-rollup', 'next').json, {
      range: { start: { date: { year: 2026, month: 3, day: 1 } }, end: { date: { year: 2026, month: 3, day: 3 } } },
      windowSizeDays: 1,
      pageToken: 'next',
    });
    assert.equal(ask('steps-rollup').path, '/v4/users/me/dataTypes/steps/dataPoints:dailyRollUp');
    assert.equal(ask('steps', 'next').query?.pageToken, 'next');
  });

  it('follow pages to the last', () => {
    assert.equal(find('steps').nextCursor(readFixture('google-health', 'steps')), 'abc');
    assert.equal(find('sleep').nextCursor(readFixture('google-health', 'sleep')), null);
    assert.equal(find('sleep').nextCursor({}), null);
  });

  it('have the scope of each resource', () => {
    for (const { scope } of googleHealth.resources) assert.ok((scope ?? '') in googleHealth.oauth.scopes);
  });
});

describe('webhooks of Google Health', () => {
  const { webhook } = googleHealth;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyset = {
    key: [
      { keyId: 42, status: 'ENABLED', keyData: { value: packKey() } },
      { keyId: 7, status: 'DISABLED' },
    ],
  };
  const publicKeys = webhook?.publicKeys?.readKeys({ status: 200, headers: {}, body: keyset }) ?? {};
  const secrets = { clientId: 'id', clientSecret: 's', verificationToken: 'hidden', publicKeys };
  const verify = (headers: Record<string, string>, text = '{}', reported = secrets) =>
    webhook?.verify(request(text, headers), reported, new Date(0));

  it('answer the challenge with the secret only', () => {
    const challenge = JSON.stringify(readFixture('google-health', 'verification'));
    const ask = (headers: Record<string, string>) =>
      webhook?.answerChallenge(request(challenge, headers), secrets)?.status;
    assert.equal(ask({ authorization: 'Bearer hidden' }), 201);
    assert.equal(ask({ authorization: 'Bearer other' }), 401);
    assert.equal(ask({}), 401);
    assert.equal(webhook?.answerChallenge(request('{"data":{}}', {}), secrets), null);
  });

  it('are trusted for the secret, unless the signature is wrong', () => {
    const authorization = 'Bearer hidden';
    const good = { authorization, 'google-health-api-signature': seal('{}') };
    assert.equal(verify(good), 'genuine');
    assert.equal(verify(good, '{ }'), 'forged');
    assert.equal(verify({ ...good, authorization: 'Bearer other' }), 'forged');
    assert.equal(
      verify({ authorization, 'google-health-api-signature': seal('{}', 43) }),
      'genuine',
      'a key not known yet',
    );
    assert.equal(verify({ 'google-health-api-signature': seal('{}', 43) }), 'forged');
    assert.equal(verify({ 'x-healthapi-signature': seal('{}') }), 'genuine');
    assert.equal(verify({ authorization, 'google-health-api-signature': 'AAAA' }), 'forged');
    assert.equal(verify({ authorization: 'Bearer ' }, '{}', { ...secrets, verificationToken: '' }), 'forged');
  });

  it('name points and the days derived from them', () => {
    const physicalTimeInterval = { startTime: '2026-03-02T07:00:00Z', endTime: '2026-03-02T08:00:00Z' };
    const webhooks = read({ operation: 'UPSERT', dataType: 'steps', intervals: [{ physicalTimeInterval }] });
    assert.deepEqual(
      webhooks.map((webhook) => 'resource' in webhook && webhook.resource),
      ['steps-rollup', 'steps'],
    );
    assert.deepEqual(read({ operation: 'UPSERT', dataType: 'moods', intervals: [{ physicalTimeInterval }] }), []);
  });

  it('extend the window beyond the end of a sleep, which the filter uses', () => {
    const physicalTimeInterval = { startTime: '2026-03-01T22:10:00Z', endTime: '2026-03-02T06:00:00Z' };
    const [webhook] = read({ operation: 'UPSERT', dataType: 'sleep', intervals: [{ physicalTimeInterval }] });
    assert.ok(webhook?.kind === 'changed' && webhook.from !== null && webhook.to !== null);
    const sleep = googleHealth.resources.find(({ name }) => name === webhook.resource);
    const window = { from: webhook.from, to: webhook.to, fromDate: '2026-03-01', toDate: '2026-03-02' } as FetchWindow;
    const account = { providerUserId: 'u', accessToken: 'a', refreshToken: null };
    const [, before = ''] = / < "(.+)"$/.exec(sleep?.request(window, null, account).query?.filter ?? '') ?? [];
    assert.ok(Date.parse(before) > Date.parse(physicalTimeInterval.endTime), before);
  });

  it('reconcile the interval of a deletion', () => {
    const civilIso8601TimeInterval = { startTime: '2026-03-02T23:10:00' };
    assert.deepEqual(read({ operation: 'DELETE', dataType: 'sleep', intervals: [{ civilIso8601TimeInterval }] }), [
      {
        providerUserId: 'u',
        kind: 'reconcile',
        resource: 'sleep',
        of: 'sleep',
        interval: { from: Date.parse('2026-03-02T09:10:00Z'), to: Date.parse('2026-03-03T13:10:01Z') },
      },
    ]);
    const physicalTimeInterval = { startTime: '2026-03-02T07:00:00Z', endTime: '2026-03-02T08:00:00Z' };
    const [weight] = read({ operation: 'DELETE', dataType: 'weight', intervals: [{ physicalTimeInterval }] });
    assert.deepEqual(weight?.kind === 'reconcile' && weight.of, ['weight']);
  });

  it('reject invalid keys', () => {
    for (const value of ['', 'AAAA', Buffer.from([0x1a, 1, 0, 0x22, 1, 1]).toString('base64'), 'GgEBIgEB'])
      assert.throws(
        () =>
          webhook?.publicKeys?.readKeys({
            status: 200,
            headers: {},
            body: { key: [{ keyId: 1, status: 'ENABLED', keyData: { value } }] },
          }),
        { name: 'ProviderAnswerError' },
      );
  });

  function read(data: object) {
    return webhook?.readWebhookItems(Buffer.from(JSON.stringify({ data: { healthUserId: 'u', ...data } }))) ?? [];
  }

  function seal(text: string, keyId = 42): string {
    return Buffer.concat([Buffer.from([1, 0, 0, 0, keyId]), sign('sha256', Buffer.from(text), privateKey)]).toString(
      'base64',
    );
  }

  /** As Google writes it: parameters, then x and y with a byte for their sign. */
  function packKey(): string {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const field = (tag: number, text: string) => [tag, 33, 0, ...Buffer.from(text, 'base64url')];
    return Buffer.from([0x12, 6, 8, 3, 16, 2, 24, 2, ...field(0x1a, x), ...field(0x22, y)]).toString('base64');
  }
});

function request(body: string, headers: Readonly<Record<string, string>>): WebhookRequest {
  return { method: 'POST', path: '/n', query: {}, headers, body: Buffer.from(body) };
}

function find(name: string) {
  const resource = googleHealth.resources.find((candidate) => candidate.name === name);
  if (resource === undefined) throw new Error(`no resource ${name}`);
  return resource;
}

function map(name: string, body: unknown = readFixture('google-health', name)): ProviderRecords {
  return find(name).map(body, { zone: 'Europe/Paris', window: null });
}
