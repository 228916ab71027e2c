import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FIXTURE_WINDOW, readFixture } from '../../../test/support/provider-fixture.ts';
import { listReported } from '../../../test/support/reported-samples.ts';
import type { MapContext } from '../contract.ts';
import { ultrahuman } from './index.ts';
import { mapDay } from './map-day.ts';
import { ultrahumanOAuth } from './oauth.ts';
import { ULTRAHUMAN_RESOURCES } from './resources.ts';

const read = (name: string) => readFixture('ultrahuman', name);
const context: MapContext = { zone: 'Europe/Paris', window: FIXTURE_WINDOW };
const withParts = (...parts: readonly string[]): MapContext => ({ ...context, parts: new Set(parts) });

describe('a day of Ultrahuman', () => {
  const records = mapDay(read('metrics'), context);
  const valuesOf = (metric: string, of = records) => listReported(of, metric).map(({ value }) => value);

  it('has series in seconds since 1970, without values of 0', () => {
    assert.deepEqual(valuesOf('heart_rate'), [57, 61]);
    const [first] = listReported(records, 'heart_rate');
    assert.deepEqual([first?.start, first?.offsetMinutes], [1_772_406_294_000, 60]);
    assert.deepEqual(valuesOf('skin_temperature'), [33.842041, 34.188003]);
  });

  it('has values of the requested date', () => {
    assert.deepEqual(
      records.daily.map(({ metric, date, value }) => [metric, date, value]),
      [
        ['steps', '2026-03-02', 9_321],
        ['resting_heart_rate', '2026-03-02', 52],
        ['active_minutes', '2026-03-02', 64],
        ['vo2_max', '2026-03-02', 46],
      ],
    );
  });

  it('has a night with stages, totals in minutes and the mean of its graphs', () => {
    const [night, nap] = records.sleep;
    assert.deepEqual(
      [night?.asleepMinutes, night?.deepMinutes, night?.lightMinutes, night?.remMinutes, night?.awakeMinutes],
      [431, 90, 240, 101, 31],
    );
    assert.deepEqual([night?.inBedMinutes, night?.heartRate, night?.skinTemperature], [462, 54, 34.6]);
    assert.deepEqual(
      night?.stages?.map(({ stage }) => stage),
      ['awake', 'deep', 'light', 'rem'],
    );
    assert.deepEqual([nap?.stages, nap?.asleepMinutes, nap?.inBedMinutes], [null, null, null]);
  });

  it('has glucose in mg/dL, or in the unit that is named', () => {
    const unitsOf = (of: typeof records) => listReported(of, 'blood_glucose').map(({ unit }) => unit);
    assert.deepEqual(unitsOf(records), ['mg/dL', 'mg/dL']);
    assert.deepEqual(unitsOf(mapDay(read('metrics-by-date'), context)), ['mmol/L']);
  });

  it('is also read from a list by date, with other names of stages and a night listed twice', () => {
    const other = mapDay(read('metrics-by-date'), context);
    assert.deepEqual(
      other.daily.map(({ metric, date, value }) => [metric, date, value]),
      [['steps', '2026-03-10', 155]],
    );
    assert.deepEqual(
      other.sleep.map(({ stages }) => stages?.map(({ stage }) => stage)),
      [['light', 'deep']],
    );
    assert.deepEqual(valuesOf('heart_rate', other), [63]);
  });

  it('rejects an answer without data', () => {
    for (const body of [{}, { data: null }, { data: { metrics: { today: [] } } }])
      assert.throws(() => mapDay(body, context), /data|not a date/);
  });
});

describe('heart-rate variability of Ultrahuman', () => {
  const hrvOf = (mapped: MapContext) => {
    const { samples, sleep } = mapDay(read('metrics'), mapped);
    const metrics = [...samples.keys()].filter((metric) => metric.startsWith('heart_rate_variability'));
    return [metrics, sleep[0]?.heartRateVariability];
  };

  it('is not read unless the operator says which kind it is', () => {
    assert.deepEqual(hrvOf(context), [[], null]);
    assert.deepEqual(hrvOf(withParts('hrv_rmssd', 'hrv_sdnn')), [[], null]);
  });

  it('is stored as that kind only', () => {
    assert.deepEqual(hrvOf(withParts('hrv_rmssd')), [['heart_rate_variability_rmssd'], 55]);
    assert.deepEqual(hrvOf(withParts('hrv_sdnn')), [['heart_rate_variability'], 55]);
    assert.equal(mapDay(read('metrics'), withParts('hrv_sdnn')).sleep[0]?.hrvKind, 'sdnn');
    assert.deepEqual(
      ultrahuman.unconfirmed?.map(({ part }) => part),
      ['hrv_rmssd', 'hrv_sdnn'],
    );
  });
});

describe('a night in which clocks change', () => {
  it('has the offset of its bedtime and lasts as long as it did', () => {
    const [start, end] = ['2026-03-28T23:00:00+01:00', '2026-03-29T07:00:00+02:00'].map((time) => Date.parse(time));
    const object = { bedtime_start: Number(start) / 1_000, bedtime_end: Number(end) / 1_000 };
    const [night] = mapDay({ data: { metric_data: [{ type: 'Sleep', object }] } }, context).sleep;
    assert.deepEqual([night?.start, night?.end, night?.offsetMinutes], [start, end, 60]);
  });
});

describe('requests to Ultrahuman', () => {
  const account = { providerUserId: 'u', accessToken: 'a', refreshToken: 'r' };

  it('name one date', () => {
    const [metrics] = ULTRAHUMAN_RESOURCES;
    assert.deepEqual(metrics?.request(FIXTURE_WINDOW, null, account).query, { date: '2026-03-02' });
    assert.deepEqual([metrics?.windowDays, metrics?.isEmpty({ status: 404, headers: {}, body: null })], [1, true]);
  });

  it('read the user id wherever it is', () => {
    const [info] = ultrahumanOAuth.afterConnect;
    const idOf = (body: unknown) => info?.readUserId({ status: 200, headers: {}, body });
    assert.equal(idOf(read('user')), 'u-58213');
    assert.equal(idOf({ data: { id: 7 }, error: null }), '7');
    assert.throws(() => idOf({ data: {} }), /user_id/);
  });

  it('revoke the token with the credentials of the client', () => {
    const client = { clientId: 'id', clientSecret: 'secret' };
    const [revoke] = ultrahumanOAuth.revokeSteps ?? [];
    const { form, path } = revoke?.({ account, client, now: new Date(0), before: null }) ?? {};
    assert.deepEqual(form, { token: 'a', client_id: 'id', client_secret: 'secret' });
    assert.equal(path, '/api/partners/oauth/revoke');
    const tokens = ultrahumanOAuth.readTokens({ status: 200, headers: {}, body: read('token') });
    assert.ok(!('refused' in tokens));
    assert.deepEqual(tokens.scopes, ['profile', 'ring_data', 'cgm_data']);
  });
});
