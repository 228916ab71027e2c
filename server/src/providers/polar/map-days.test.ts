// Polar: days, training, measurements and the profile, mostly in local time.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFixture } from '../../../test/support/provider-fixture.ts';
import { listReported } from '../../../test/support/reported-samples.ts';
import type { ProviderRecords } from '../provider-records.ts';
import { polar } from './index.ts';

const WINDOW = { from: 0, to: 1, fromDate: '2026-03-01', toDate: '2026-03-02' } as never;
const ACCOUNT = { providerUserId: 'a', accessToken: 'a', refreshToken: null };

/** The day on which clocks go forward in Paris. */
const SPRING = {
  start_time: '2026-03-29T00:00:00',
  end_time: '2026-03-29T23:59:59',
  samples: {
    activity_zones: {
      samples: [
        { zone: 'LIGHT', timestamp: '2026-03-29T01:00' },
        { zone: 'SLEEP', timestamp: '2026-03-29T04:00' },
      ],
    },
  },
};

describe('days and training of Polar', () => {
  it('compute resting energy as the total minus the active energy', () => {
    const { daily, samples } = map('activities', readFixture('polar', 'activities'));
    const reported = new Map(daily.map(({ metric, value, unit }) => [String(metric), `${value} ${unit}`]));
    assert.equal(reported.get('resting_energy'), '1680 kcal');
    assert.equal(reported.get('active_minutes'), '9960 s');
    assert.equal(reported.get('distance'), '6190.5 m');
    const [minute] = listReported({ samples }, 'steps');
    assert.equal(
      minute && `${new Date(minute.start).toISOString()} ${minute.end - minute.start}`,
      '2026-03-02T06:02:00.000Z 60000',
    );
  });

  it('have the total energy of a day if the active part is missing', () => {
    const energyOf = (energy: object) =>
      map('activities', [{ start_time: '2026-03-02T00:00:00', ...energy }]).daily.map(({ metric, value, unit }) => [
        metric,
        value,
        unit,
      ]);
    assert.deepEqual(energyOf({ calories: 2_500 }), [['total_calories', 2_500, 'kcal']]);
    assert.deepEqual(energyOf({ calories: 2_500, active_calories: 820 }), [
      ['active_calories', 820, 'kcal'],
      ['resting_energy', 1_680, 'kcal'],
    ]);
    assert.deepEqual(energyOf({ active_calories: 820 }), [['active_calories', 820, 'kcal']]);
    assert.deepEqual(energyOf({ calories: 500, active_calories: 820 }), [['active_calories', 820, 'kcal']]);
  });

  it('have the minutes of each activity zone, from one change to the next', () => {
    const day = (zones: readonly (readonly [clock: string, zone: string | null])[], more: object = {}) => ({
      start_time: '2026-03-02T00:00:00',
      end_time: '2026-03-02T23:59:59',
      ...more,
      samples: {
        activity_zones: { samples: zones.map(([clock, zone]) => ({ zone, timestamp: `2026-03-02T${clock}` })) },
      },
    });
    const minutesOf = (body: object) =>
      Object.fromEntries(map('activities', [body]).daily.map(({ metric, value }) => [metric, value / 60]));
    const zones = [
      ['00:00', 'SLEEP'],
      ['20:00', 'VIGOROUS'], // in any order
      ['07:00', 'SEDENTARY'],
      ['09:30:30', 'LIGHT'],
      ['10:00', 'MODERATE'],
      ['10:20', 'NON_WEAR'],
      ['20:10', 'SEDENTARY'],
    ] as const;
    assert.deepEqual(minutesOf(day(zones)), {
      active_minutes: 59.5,
      sedentary_time: 380.5,
      light_activity: 29.5,
      moderate_activity: 20,
      vigorous_activity: 10,
    });
    const totals = { active_duration: 'PT1H', inactive_duration: 'PT6H' };
    const { active_minutes, sedentary_time } = minutesOf(day(zones, totals));
    assert.deepEqual([active_minutes, sedentary_time], [60, 360], 'what Polar adds up itself wins');
    assert.deepEqual(minutesOf(day([['00:00', 'SLEEP']])), {
      active_minutes: 0,
      sedentary_time: 0,
      light_activity: 0,
      moderate_activity: 0,
      vigorous_activity: 0,
    });
    assert.deepEqual(minutesOf(day([])), {});
    const [first] = zones;
    assert.deepEqual(minutesOf(day([first, ['07:00', null]])), {}, 'one zone has no name');
    assert.deepEqual(minutesOf(day([['08:00', 'MODERATE']], { end_time: null })), {}, 'nothing says how long');
    assert.equal(minutesOf(SPRING).light_activity, 120, 'an hour was skipped');
  });

  it('read training without an offset in the user’s time zone', () => {
    const exercise = { id: 'x', start_time: '2026-07-02T07:05:10', duration: 'PT30M' };
    const at = (item: object, zone: string) => {
      const [workout] = map('exercises', [item], zone).workouts;
      return workout && `${new Date(workout.start).toISOString()} ${workout.offsetMinutes}`;
    };
    assert.equal(at(exercise, 'Europe/Paris'), '2026-07-02T05:05:10.000Z 120');
    assert.equal(at({ ...exercise, start_time: '2026-01-02T07:05:10' }, 'Europe/Paris'), '2026-01-02T06:05:10.000Z 60');
    assert.equal(at(exercise, 'America/Phoenix'), '2026-07-02T14:05:10.000Z -420');
    assert.equal(at({ ...exercise, start_time_utc_offset: 540 }, 'Europe/Paris'), '2026-07-01T22:05:10.000Z 540');
  });

  it('have no heart rate of 0', () => {
    const exercise = { id: 'x', start_time: '2026-07-02T07:05:10', duration: 'PT30M' };
    const [workout] = map('exercises', [{ ...exercise, heart_rate: { average: 0, maximum: 0 } }]).workouts;
    assert.deepEqual([workout?.avgHeartRate, workout?.maxHeartRate], [null, null]);
    const heart_rate_samples = [
      { heart_rate: 0, sample_time: '00:02:08' },
      { heart_rate: 61, sample_time: '00:07:08' },
    ];
    const { samples } = map('continuous-heart-rate', { date: '2026-03-02', heart_rate_samples });
    assert.deepEqual(
      listReported({ samples }, 'heart_rate').map(({ value }) => value),
      [61],
    );
  });

  it('read the profile as of its last change', () => {
    const { samples, daily } = map('physical-info', readFixture('polar', 'physical-info'));
    assert.deepEqual(
      ['weight', 'height'].map((metric) => {
        const [reported] = listReported({ samples }, metric);
        return (
          reported && `${reported.value} ${reported.unit} ${new Date(reported.start).toISOString()} ${reported.method}`
        );
      }),
      ['72.4 kg 2026-03-02T06:10:00.000Z manual', '178 cm 2026-03-02T06:10:00.000Z manual'],
    );
    assert.deepEqual(
      daily.map(({ metric, value, date }) => [metric, value, date]),
      [['vo2_max', 51, '2026-03-02']],
    );
  });

  it('read only entered or measured values from the profile', () => {
    const weightOf = (info: object) => {
      const { samples } = map('physical-info', { weight: 70, ...info });
      return listReported({ samples }, 'weight').map(
        ({ start, method }) => `${new Date(start).toISOString()} ${method}`,
      );
    };
    const modified = '2026-03-02T06:10:00Z';
    assert.deepEqual(weightOf({ modified, weight_source: 'SOURCE_MEASURED' }), ['2026-03-02T06:10:00.000Z automatic']);
    assert.deepEqual(weightOf({ modified, weight_source: 'SOURCE_DEFAULT' }), []);
    assert.deepEqual(weightOf({ modified, weight_source: 'SOURCE_ESTIMATE' }), []);
    assert.deepEqual(weightOf({ created: modified }), ['2026-03-02T06:10:00.000Z manual']);
    assert.deepEqual(weightOf({ modified: '2026-03-02T06:10:00' }), ['2026-03-02T06:10:00.000Z manual']);
    assert.deepEqual(weightOf({}), [], 'nothing says when');
    assert.deepEqual(map('physical-info', { weight: 0, height: 0, vo2_max: 0, modified }).samples.size, 0);
  });

  it('reads the profile with hyphens in its keys alike', () => {
    const created = '2026-03-02T06:10:00Z';
    const invented = { weight: 70, 'weight-source': 'SOURCE_DEFAULT', 'vo2-max': 51, created };
    const { samples, daily } = map('physical-info', invented);
    assert.equal(samples.size, 0, 'not measured');
    assert.deepEqual(
      daily.map(({ metric, value }) => [metric, value]),
      [['vo2_max', 51]],
    );
  });

  it('read training by its own offset, and leave gaps in its series', () => {
    const { workouts, samples } = map('exercises', readFixture('polar', 'exercises'), 'Asia/Tokyo');
    const [run, ride] = workouts;
    assert.equal(new Date(run?.start ?? 0).toISOString(), '2026-03-02T06:05:10.000Z');
    assert.deepEqual(
      run?.heartRateSamples?.map(({ bpm, time }) => [bpm, time - run.start]),
      [
        [101, 0],
        [104, 5_000],
        [110, 10_000],
        [121, 20_000],
      ],
    );
    assert.deepEqual(
      listReported({ samples }, 'running_speed').map(({ value }) => value),
      [0, 9.1, 9.8, 10, 10.2],
    );
    assert.deepEqual(
      listReported({ samples }, 'running_power').map(({ value }) => value),
      [0, 231, 240, 238],
    );
    assert.deepEqual([ride?.sportType, ride?.offsetMinutes, ride?.durationMinutes], ['cycling', -420, 60 + 0.5 / 60]);
    assert.deepEqual(
      ride?.heartRateSamples?.map(({ bpm }) => bpm),
      [98, 99],
    );
  });

  it('read the minutes of the five zones by index if all are present', () => {
    const [one] = readFixture('polar', 'exercises') as object[];
    const zone = (index: number, inZone: string) => ({
      index,
      'lower-limit': 90,
      'upper-limit': 100,
      'in-zone': inZone,
    });
    const five = [zone(2, 'PT6M'), zone(1, 'PT2M30S'), zone(3, 'PT0S'), zone(4, 'PT1H'), zone(5, 'PT15S')];
    const zonesOf = (heart_rate_zones: readonly object[]) =>
      map('exercises', { ...one, heart_rate_zones, samples: [] }).workouts[0]?.sourceZones;
    assert.deepEqual(zonesOf(five), { minutes: [2.5, 6, 0, 60, 0.25], isApproximate: false });
    assert.equal(zonesOf(five.slice(1)), null);
    assert.equal(zonesOf(five.map(({ index }) => zone(index, 'PT0S'))), null, 'no heart was measured');
  });

  it('are read one by one too', () => {
    const [one] = readFixture('polar', 'exercises') as unknown[];
    assert.equal(map('exercises', one).workouts[0]?.key, '2AC312F');
    const heartRates = { heart_rates: [readFixture('polar', 'continuous-heart-rate')] };
    assert.deepEqual(map('continuous-heart-rate', heartRates), map('continuous-heart-rate', heartRates.heart_rates[0]));
  });

  it('read body temperatures in UTC, unlike everything else', () => {
    const { samples } = map('body-temperature', readFixture('polar', 'body-temperature'));
    const [first, second] = listReported({ samples }, 'body_temperature');
    assert.equal(first?.start, Date.parse('2026-03-02T04:00:00Z'));
    assert.equal(second?.start, Date.parse('2026-03-02T04:01:00Z'));
    assert.equal(first?.offsetMinutes, 60);
  });

  it('read blood oxygen only of passed tests', () => {
    const { samples } = map('spo2', readFixture('polar', 'spo2'));
    assert.deepEqual(
      listReported({ samples }, 'blood_oxygen').map(({ value, method }) => [value, method]),
      [[96, 'active']],
    );
  });

  it('request every mapped resource', () => {
    const requestOf = (name: string) =>
      polar.resources.find((resource) => resource.name === name)?.request(WINDOW, null, ACCOUNT);
    assert.deepEqual(requestOf('activities')?.query, {
      from: '2026-03-01',
      to: '2026-03-02',
      steps: 'true',
      activity_zones: 'true',
    });
    const { path, query } = requestOf('physical-info') ?? assert.fail('not requested');
    assert.deepEqual([path, query], ['/v3/users/physical-info', {}]);
  });
});

function map(name: string, body: unknown, zone = 'Europe/Paris'): ProviderRecords {
  const resource = polar.resources.find((candidate) => candidate.name === name);
  if (resource === undefined) throw new Error(`no resource ${name}`);
  return resource.map(body, { zone, window: null });
}
