import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFixture } from '../../../test/support/provider-fixture.ts';
import { listReported } from '../../../test/support/reported-samples.ts';
import type { EpochMs } from '../../domain/records/records.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import type { FetchWindow, MapContext } from '../contract.ts';
import { ProviderAnswerError } from '../contract.ts';
import { oura } from './index.ts';
import { toSportType } from './sports.ts';

const window = { fromDate: '2026-03-01', toDate: '2026-03-02', from: 0, to: DAY_MS } as unknown as FetchWindow;
const context: MapContext = { zone: 'Europe/Berlin', window };
const account = { providerUserId: 'a', accessToken: 'a', refreshToken: null };

function resource(name: string) {
  const found = oura.resources.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no resource ${name}`);
  return found;
}

const map = (name: string, fixture = name) => resource(name).map(readFixture('oura', fixture), context);
const ms = (text: string) => Date.parse(text) as EpochMs;

describe('nights of Oura', () => {
  it('converts seconds to minutes and reads the vital signs of the night', () => {
    const [night] = map('sleep').sleep;
    assert.ok(night);
    const { asleepMinutes, deepMinutes, lightMinutes, remMinutes, awakeMinutes, inBedMinutes } = night;
    assert.deepEqual(
      { asleepMinutes, deepMinutes, lightMinutes, remMinutes, awakeMinutes, inBedMinutes },
      { asleepMinutes: 431, deepMinutes: 90, lightMinutes: 240, remMinutes: 101, awakeMinutes: 31, inBedMinutes: 462 },
    );
    assert.deepEqual(
      [night.heartRate, night.heartRateVariability, night.hrvKind, night.respiratoryRate],
      [54.5, 48, 'rmssd', 14.25],
    );
    assert.equal(night.bodyTemperature, null);
  });

  it('prefers stages of 30 seconds and joins equal neighbours', () => {
    const [night] = map('sleep').sleep;
    assert.deepEqual(night?.stages, [
      { stage: 'awake', start: ms('2026-03-01T22:10:30Z'), end: ms('2026-03-01T22:12:30Z') },
      { stage: 'light', start: ms('2026-03-01T22:12:30Z'), end: ms('2026-03-01T22:14:30Z') },
      { stage: 'deep', start: ms('2026-03-01T22:14:30Z'), end: ms('2026-03-01T22:15:30Z') },
    ]);
  });

  it('uses stages of 5 minutes if there are no others', () => {
    const [nap] = map('sleep', 'sleep-other').sleep;
    assert.deepEqual(
      nap?.stages?.map(({ stage, start, end }) => [stage, (end - start) / MINUTE_MS]),
      [
        ['awake', 5],
        ['light', 30],
        ['awake', 5],
      ],
    );
  });

  it('ends the last stage with the sleep', () => {
    const body = { ...firstDocument('sleep'), sleep_phase_30_sec: null, sleep_phase_5_min: '2'.repeat(200) };
    const [night] = resource('sleep').map(body, context).sleep;
    assert.equal(night?.stages?.at(-1)?.end, night?.end);
  });

  it('leaves a gap for an unknown stage', () => {
    const body = { ...firstDocument('sleep'), sleep_phase_30_sec: '2002' };
    const [night] = resource('sleep').map(body, context).sleep;
    assert.deepEqual(
      night?.stages?.map(({ start, end }) => [(start - night.start) / 1_000, (end - night.start) / 1_000]),
      [
        [0, 30],
        [90, 120],
      ],
    );
  });

  it('reads RMSSD every five minutes, without missing values', () => {
    const hrv = listReported(map('sleep'), 'heart_rate_variability_rmssd');
    assert.deepEqual(
      hrv.map(({ start, value, unit, offsetMinutes }) => [start, value, unit, offsetMinutes]),
      [
        [ms('2026-03-01T22:10:30Z'), 31, 'ms', 60],
        [ms('2026-03-01T22:15:30Z'), 44, 'ms', 60],
        [ms('2026-03-01T22:25:30Z'), 52, 'ms', 60],
        [ms('2026-03-01T22:30:30Z'), 49, 'ms', 60],
      ],
    );
  });

  it('reads the lowest heart rate of the night, not of the nap', () => {
    assert.deepEqual(
      map('sleep').daily.map(({ metric, date, value }) => [metric, date, value]),
      [['sleep_heart_rate_min', '2026-03-02', 49]],
    );
    assert.deepEqual(map('sleep', 'sleep-other').daily, []);
  });

  it('uses the lowest value of a night in two parts', () => {
    const [one] = readDocuments('sleep');
    const data = [one, { ...one, id: 'second', lowest_heart_rate: 47 }];
    const { daily } = resource('sleep').map({ data }, context);
    assert.deepEqual(
      daily.map(({ value }) => value),
      [47],
    );
  });

  it('deletes a sleep that is no longer one', () => {
    assert.equal(map('sleep', 'sleep-other').deletedSleep.length, 2);
  });
});

describe('days of Oura', () => {
  const reported = (name: string) =>
    map(name).daily.map(({ metric, date, value, unit }) => [metric, date, value, unit]);

  it('reads activity', () => {
    assert.deepEqual(reported('daily_activity'), [
      ['steps', '2026-03-02', 9120, 'count'],
      ['active_calories', '2026-03-02', 512, 'kcal'],
      ['light_activity', '2026-03-02', 15200, 's'],
      ['moderate_activity', '2026-03-02', 2400, 's'],
      ['vigorous_activity', '2026-03-02', 480, 's'],
      ['sedentary_time', '2026-03-02', 33000, 's'],
      ['average_met', '2026-03-02', 1.6, 'MET'],
      ['resting_energy', '2026-03-02', 1998, 'kcal'],
      ['met_minutes', '2026-03-02', 180, 'MET*min'],
    ]);
  });

  it('reads oxygen, temperature, stress, VO2 max and pulse wave velocity', () => {
    assert.deepEqual(reported('daily_spo2'), [
      ['sleep_blood_oxygen', '2026-03-02', 97.4, '%'],
      ['blood_oxygen', '2026-03-02', 97.4, '%'],
      ['breathing_disturbances', '2026-03-02', 4, 'events/h'],
    ]);
    assert.deepEqual(reported('daily_readiness'), [['sleep_temperature_deviation', '2026-03-02', -0.12, '°C']]);
    assert.deepEqual(reported('daily_stress'), [
      ['stress_time_high', '2026-03-02', 3600, 's'],
      ['stress_time_rest', '2026-03-02', 7200, 's'],
    ]);
    assert.deepEqual(reported('vo2_max'), [['vo2_max', '2026-03-02', 46, 'mL/kg/min']]);
    assert.deepEqual(reported('daily_cardiovascular_age'), [['pulse_wave_velocity', '2026-03-02', 7.2, 'm/s']]);
  });

  it('has no resting energy if the parts exceed the total', () => {
    const body = { day: '2026-03-02', active_calories: 600, total_calories: 500 };
    const { daily } = resource('daily_activity').map(body, context);
    assert.ok(!daily.some(({ metric }) => metric === 'resting_energy'));
  });
});

describe('the rest of Oura', () => {
  it("reads heart rate at its time, in the user's zone", () => {
    const samples = listReported(map('heartrate'), 'heart_rate');
    assert.deepEqual(
      samples.map(({ start, value, offsetMinutes }) => [start, value, offsetMinutes]),
      [
        [ms('2026-03-02T12:31:21Z'), 61, 60],
        [ms('2026-03-02T06:15:00Z'), 148, 60],
      ],
    );
  });

  it('reads workouts in our units', () => {
    const [workout] = map('workout').workouts;
    assert.ok(workout);
    const { sportType, name, distanceKm, activeCalories, avgHeartRate, method } = workout;
    assert.deepEqual(
      { sportType, name, distanceKm, activeCalories, avgHeartRate, method },
      {
        sportType: 'running',
        name: null,
        distanceKm: 5.1034,
        activeCalories: 312.4,
        avgHeartRate: null,
        method: 'automatic',
      },
    );
  });

  it('counts meditation and no other rest', () => {
    const { samples } = map('session');
    assert.deepEqual(
      listReported({ samples }, 'mindfulness').map(({ value, unit }) => [value, unit]),
      [
        [600, 's'],
        [300, 's'],
      ],
    );
    assert.equal(listReported({ samples }, 'heart_rate_variability_rmssd').length, 2);
  });

  it('maps sports in any spelling', () => {
    for (const name of ['crossCountrySkiing', 'cross_country_skiing'])
      assert.equal(toSportType(name), 'cross_country_skiing');
    assert.equal(toSportType('houseWork'), 'other');
    assert.equal(toSportType(null), 'other');
  });

  it('refuses nonsense', () => {
    for (const body of [null, 7, { data: {} }])
      assert.throws(() => resource('sleep').map(body, context), ProviderAnswerError);
  });

  it('drops only a bad field, and a document without its time', () => {
    const broken = { data: [{ ...firstDocument('sleep'), bedtime_start: '2026-03-01T23:10:30' }] };
    assert.deepEqual(resource('sleep').map(broken, context).sleep, []);
    const days = [{ day: '2026-02-30' }, { day: '2026-02-03', steps: 'many', sedentary_time: 60 }];
    const { daily, unreadable } = resource('daily_activity').map({ data: days }, context);
    assert.deepEqual(
      daily.map(({ metric, value }) => [metric, value]),
      [['sedentary_time', 60]],
    );
    assert.deepEqual(Object.fromEntries(unreadable), { day: 1, record: 1, steps: 1 });
  });
});

describe('requests to Oura', () => {
  it('requests one day more, and nights from the day before', () => {
    assert.deepEqual(resource('daily_activity').request(window, null, account).query, {
      start_date: '2026-03-01',
      end_date: '2026-03-03',
    });
    assert.deepEqual(resource('sleep').request(window, 'next', account).query, {
      start_date: '2026-02-28',
      end_date: '2026-03-03',
      next_token: 'next',
    });
  });

  it('requests heart rate by time', () => {
    assert.deepEqual(resource('heartrate').request(window, null, account).query, {
      start_datetime: '1970-01-01T00:00:00.000Z',
      end_datetime: '1970-01-02T00:00:00.000Z',
    });
  });

  it('follows pages while there is a token', () => {
    assert.equal(resource('sleep').nextCursor(readFixture('oura', 'sleep-other')), 'page-2');
    assert.equal(resource('sleep').nextCursor(readFixture('oura', 'sleep')), null);
  });

  it('spells one path as Oura does', () => {
    assert.equal(resource('vo2_max').requestOne?.('a', account).path, '/v2/usercollection/vO2_max/a');
  });
});

function readDocuments(name: string): Record<string, unknown>[] {
  return (readFixture('oura', name) as { data: Record<string, unknown>[] }).data;
}

function firstDocument(name: string): Record<string, unknown> {
  return readDocuments(name)[0] ?? {};
}
