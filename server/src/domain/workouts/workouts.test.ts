import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findMetric } from '../metrics/index.ts';
import type { EpochMs, HeartRateSample, Workout } from '../records/records.ts';
import type { DeviceId } from '../tenancy.ts';
import type { LocalDate } from '../time/calendar.ts';
import { createZone } from '../time/day.ts';
import { MINUTE_MS } from '../time/durations.ts';
import {
  ageYearsOn,
  averageHeartRate,
  averagePaceSecondsPerKm,
  averageSpeedKmh,
  bucketHeartRate,
  buildHeartHistogram,
  consolidateWorkouts,
  findHeartRateRange,
  findZoneBasis,
  findZones,
  type HeartFacts,
  maxHeartRate,
  summarizeWorkoutDay,
  traitsOfWorkout,
  workoutDate,
  workoutMinutes,
  workoutName,
} from './index.ts';
import { SPORTS } from './sports.ts';

const START = Date.parse('2026-01-10T10:00:00Z');
const LIMITS = { restBpm: 60, maxBpm: 190 };

const FIELDS = [
  'name',
  'durationMinutes',
  'distanceKm',
  'activeCalories',
  'steps',
  'elevationGainM',
  'avgMets',
  'weatherTemperatureC',
  'weatherHumidityPct',
  'swimmingStrokeCount',
  'swimmingLapLengthM',
  'avgHeartRate',
  'maxHeartRate',
  'sourceZones',
  'heartRateSamples',
];

function workout(given: Partial<Workout> & { minutes?: number } = {}): Workout {
  const { minutes = 60, ...fields } = given;
  const nothing = Object.fromEntries(FIELDS.map((field) => [field, null])) as unknown as Workout;
  return {
    ...nothing,
    key: 'a',
    sportType: 'running',
    start: START as EpochMs,
    end: (START + minutes * MINUTE_MS) as EpochMs,
    offsetMinutes: 0,
    method: 'automatic',
    ...fields,
  };
}

/** Readings as [seconds after the start, bpm]. */
const trace = (...readings: [number, number][]): HeartRateSample[] =>
  readings.map(([seconds, bpm]) => ({ time: (START + seconds * 1_000) as EpochMs, bpm }));

const zonesOf = (session: Workout) => findZones(session, buildHeartHistogram(session), LIMITS);

function of(id: string, session: Workout) {
  const device = {
    id: id as DeviceId,
    provider: id,
    deviceClass: 'wrist',
    transport: 'cloud',
    connectedAt: 0 as EpochMs,
  } as const;
  return { device, session, zones: zonesOf(session) };
}

describe('a workout', () => {
  it('its day is the local day of its start', () => {
    const late = workout({
      start: Date.parse('2026-01-10T22:30:00Z') as EpochMs,
      end: Date.parse('2026-01-10T23:59:00Z') as EpochMs,
    });
    assert.equal(workoutDate(late, createZone('Europe/Berlin')), '2026-01-10');
    assert.equal(workoutDate(late, createZone('Asia/Tokyo')), '2026-01-11');
  });

  it('the reported duration wins over start and end', () => {
    assert.equal(workoutMinutes(workout({ durationMinutes: 52 })), 52);
    assert.equal(workoutMinutes(workout()), 60);
  });

  it('average speed and pace come from distance and duration, null without', () => {
    const run = workout({ durationMinutes: 50, distanceKm: 10 });
    assert.deepEqual([averageSpeedKmh(run), averagePaceSecondsPerKm(run)], [12, 300]);
    assert.deepEqual([averageSpeedKmh(workout()), averagePaceSecondsPerKm(workout())], [null, null]);
    const still = workout({ distanceKm: 0 });
    assert.deepEqual([averageSpeedKmh(still), averagePaceSecondsPerKm(still)], [0, null]);
    assert.equal(averageSpeedKmh(workout({ distanceKm: 5, minutes: 0 })), null);
  });

  it("its name falls back to the sport's display name", () => {
    assert.equal(workoutName(workout({ name: 'Lunch run' })), 'Lunch run');
    assert.equal(workoutName(workout({ sportType: 'trail_running' })), 'Trail running');
    assert.equal(workoutName(workout({ sportType: 'other', name: ' ' })), 'Other workout');
    assert.equal(workoutName(workout({ sportType: 'quidditch', name: ' ' })), 'quidditch');
  });

  it('is consolidated by session, whatever the provider settings', () => {
    const canonical = consolidateWorkouts([of('b', workout()), of('a', workout({ minutes: 59 }))], traitsOfWorkout);
    assert.deepEqual(
      canonical.map(({ device, duplicates: copies }) => [device.id, copies.map((copy) => copy.device.id)]),
      [['a', ['b']]],
    );
  });
});

describe('the heart rate of a workout', () => {
  it('buckets: up to 1 h 15 s, up to 2 h 30 s, longer 60 s', () => {
    const heartRateSamples = trace([0, 100], [14, 110], [15, 120], [29, 130], [59, 140], [60, 150]);
    const reported = (minutes: number) =>
      bucketHeartRate(workout({ minutes, heartRateSamples }))?.map(({ time, bpm }) => [(time - START) / 1_000, bpm]);
    assert.deepEqual(reported(60), [
      [0, 105],
      [15, 125],
      [45, 140],
      [60, 150],
    ]);
    assert.deepEqual(reported(61), [
      [0, 115],
      [30, 140],
      [60, 150],
    ]);
    assert.deepEqual(reported(120), reported(61));
    assert.deepEqual(reported(121), [
      [0, 120],
      [60, 150],
    ]);
  });

  it('is null without a trace, and if all readings lie outside', () => {
    for (const heartRateSamples of [null, [], trace([-5, 100], [4_000, 90])]) {
      const silent = workout({ heartRateSamples });
      assert.equal(bucketHeartRate(silent), null);
      assert.equal(zonesOf(silent), null);
      assert.deepEqual([averageHeartRate(silent), maxHeartRate(silent)], [null, null]);
    }
  });

  it('average and maximum: reported values win, else the trace, weighted by time', () => {
    const heartRateSamples = trace([0, 100], [240, 160], [300, 160]);
    assert.equal(averageHeartRate(workout({ heartRateSamples, avgHeartRate: 99 })), 99);
    assert.equal(maxHeartRate(workout({ heartRateSamples, maxHeartRate: 170 })), 170);
    assert.equal(averageHeartRate(workout({ heartRateSamples })), (100 * 240 + 160 * 120) / 360);
    assert.equal(maxHeartRate(workout({ heartRateSamples })), 160);
  });
});

describe('zones of heart-rate reserve', () => {
  const minutesOf = (given: Parameters<typeof workout>[0]) => zonesOf(workout(given))?.map(({ minutes }) => minutes);

  it('are 50–60, 60–70, 70–80, 80–90 and 90–100 %, a limit belongs to the zone above', () => {
    const bpms = [125, 138, 151, 164, 177, 190];
    const heartRateSamples = trace(...bpms.map((bpm, index): [number, number] => [index * 60, bpm]));
    assert.deepEqual(minutesOf({ heartRateSamples }), [1, 1, 1, 1, 2]);
    const [first, , , , last] = zonesOf(workout({ heartRateSamples })) ?? [];
    assert.deepEqual([first?.minBpm, first?.maxBpm, last?.minBpm, last?.maxBpm], [125, 138, 177, 190]);
  });

  it('time below zone 1 counts in none, above the maximum in zone 5', () => {
    const heartRateSamples = trace([0, 124], [60, 200], [120, 124]);
    assert.deepEqual(minutesOf({ heartRateSamples }), [0, 0, 0, 0, 1]);
  });

  it('a reading lasts until the next, at most 5 minutes', () => {
    assert.deepEqual(minutesOf({ heartRateSamples: trace([0, 130], [1_200, 140], [1_260, 100]) }), [5, 1, 0, 0, 0]);
    assert.deepEqual(minutesOf({ heartRateSamples: trace([3_570, 130]) }), [0.5, 0, 0, 0, 0]);
  });

  it("without a trace they are the source's, without limits, else null", () => {
    const sourceZones = { minutes: [1, 2, 3, 4, 5], isApproximate: false };
    assert.deepEqual(minutesOf({ sourceZones }), [1, 2, 3, 4, 5]);
    assert.deepEqual(
      zonesOf(workout({ sourceZones }))?.map(({ minBpm, maxBpm }) => [minBpm, maxBpm]),
      Array.from({ length: 5 }, () => [null, null]),
    );
    assert.equal(minutesOf({}), undefined);
  });

  it('a trace wins over the zones of the source', () => {
    const given = {
      heartRateSamples: trace([0, 130], [60, 100]),
      sourceZones: { minutes: [9, 9, 9, 9, 9], isApproximate: true },
    };
    assert.deepEqual(minutesOf(given), [1, 0, 0, 0, 0]);
  });

  it('state where they come from', () => {
    const minutes = [0, 10, 5, 0, 1];
    const basisOf = (given: Partial<Workout>) => findZoneBasis(workout(given), buildHeartHistogram(workout(given)));
    assert.equal(basisOf({}), null);
    assert.equal(basisOf({ sourceZones: { minutes, isApproximate: false } }), 'source');
    assert.equal(basisOf({ sourceZones: { minutes, isApproximate: true } }), 'source_approximate');
    assert.equal(
      basisOf({ sourceZones: { minutes, isApproximate: true }, heartRateSamples: trace([0, 130]) }),
      'trace',
    );
  });

  it('never add up to more time than the workout', () => {
    const readings = fc.array(fc.tuple(fc.integer({ min: -100, max: 4_000 }), fc.integer({ min: 30, max: 230 })));
    fc.assert(
      fc.property(readings, fc.nat(65), (list, minutes) => {
        const total = (minutesOf({ minutes, heartRateSamples: trace(...list) }) ?? [0]).reduce(
          (sum, one) => sum + one,
          0,
        );
        assert.ok(total >= 0 && total <= minutes + 1e-9);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the histogram of a trace', () => {
  it('gives the duration of each rate, by rate, in tenths of a beat', () => {
    const given = workout({
      minutes: 2,
      heartRateSamples: trace([0, 120.04], [30, 118], [45, 120], [90, 121.96], [120, 99]),
    });
    assert.deepEqual(buildHeartHistogram(given), [
      [99, 0],
      [118, 15_000],
      [120, 75_000],
      [122, 30_000],
    ]);
    assert.equal(buildHeartHistogram(workout()), null);
    assert.equal(buildHeartHistogram(workout({ heartRateSamples: trace([-5, 100], [3_605, 100]) })), null);
  });

  it('gives the same average and maximum as the trace', () => {
    const readings = fc.array(fc.tuple(fc.integer({ min: -100, max: 4_000 }), fc.integer({ min: 300, max: 2_300 })), {
      minLength: 1,
    });
    fc.assert(
      fc.property(readings, fc.nat(65), (list, minutes) => {
        const tenths = list.map(([seconds, bpm]): [number, number] => [seconds, bpm / 10]);
        const given = workout({ minutes, heartRateSamples: trace(...tenths) });
        const histogram = buildHeartHistogram(given);
        const listed = { ...given, heartRateSamples: null };
        assert.equal(averageHeartRate(listed, histogram), averageHeartRate(given));
        assert.equal(maxHeartRate(listed, histogram), maxHeartRate(given));
        // And as calculated reading by reading.
        const within = new Map(tenths.filter(([at]) => at >= 0 && at <= minutes * 60));
        const highest = within.size === 0 ? null : Math.max(...within.values());
        assert.equal(maxHeartRate(given), highest);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of a single reading at the very end is that reading', () => {
    const given = workout({ minutes: 1, heartRateSamples: trace([60, 140]) });
    assert.deepEqual([averageHeartRate(given), maxHeartRate(given)], [140, 140]);
  });
});

describe('age', () => {
  it('is whole years, from the birthday on', () => {
    const on = (date: string, birth = '1990-03-15') => ageYearsOn(date as LocalDate, birth as LocalDate);
    assert.deepEqual([on('2026-03-14'), on('2026-03-15'), on('2026-12-01')], [35, 36, 36]);
    assert.deepEqual([on('2027-02-28', '2000-02-29'), on('2027-03-01', '2000-02-29')], [26, 27]);
    assert.equal(on('1989-01-01'), null);
  });
});

describe('HRmax and HRrest', () => {
  const NOTHING: HeartFacts = { enteredMaxBpm: null, observedMaxBpm: null, ageYears: null, baselineRestBpm: null };
  const limits = (given: Partial<HeartFacts>) => {
    const { maxBpm, restBpm } = findHeartRateRange({ ...NOTHING, ...given });
    return [maxBpm, restBpm];
  };

  it('HRmax: entered, else observed if above the formula, else 208 - 0.7 age, else 190', () => {
    assert.deepEqual(limits({ enteredMaxBpm: 175, observedMaxBpm: 199, ageYears: 30 }), [175, 60]);
    assert.deepEqual(limits({ observedMaxBpm: 199, ageYears: 30 }), [199, 60]);
    assert.deepEqual(limits({ observedMaxBpm: 180, ageYears: 30 }), [187, 60]);
    assert.deepEqual(limits({ observedMaxBpm: 180 }), [190, 60]);
    assert.deepEqual(limits({}), [190, 60]);
  });

  it('HRrest: the baseline, else 60', () => {
    assert.deepEqual(limits({ baselineRestBpm: 48 }), [190, 48]);
  });

  it('uses the defaults if they differ by less than 60', () => {
    assert.deepEqual(limits({ enteredMaxBpm: 120, baselineRestBpm: 70, ageYears: 30 }), [187, 60]);
    assert.deepEqual(limits({ enteredMaxBpm: 120, baselineRestBpm: 60 }), [120, 60]);
  });
});

describe('what workouts add to their day', () => {
  const fed = (...list: Partial<Workout>[]) =>
    Object.fromEntries(
      [...summarizeWorkoutDay(list.map((given) => of('watch', workout(given))))].map(([id, { value }]) => [id, value]),
    );

  it('the family decides on distance and duration, and every workout is exercise', () => {
    assert.deepEqual(
      fed({ sportType: 'trail_running', distanceKm: 10 }, { sportType: 'running', distanceKm: 5, activeCalories: 300 }),
      {
        workout_count: 2,
        exercise: 120,
        running: 15,
        running_duration: 120,
        workout_calories: 300,
      },
    );
    assert.deepEqual(fed({ sportType: 'yoga' }), { workout_count: 1, exercise: 60, mind_body_duration: 60 });
    assert.deepEqual(fed({ sportType: 'core_training' }), {
      workout_count: 1,
      exercise: 60,
      strength_training_duration: 60,
    });
    assert.deepEqual(fed({ sportType: 'hiking', distanceKm: 9 }), {
      workout_count: 1,
      exercise: 60,
      hiking_duration: 60,
    });
    assert.deepEqual(fed({ sportType: 'tennis', distanceKm: 2 }), { workout_count: 1, exercise: 60 });
  });

  it('swimming is reported in metres, with its strokes', () => {
    assert.deepEqual(fed({ sportType: 'pool_swimming', distanceKm: 1.5, swimmingStrokeCount: 900 }), {
      workout_count: 1,
      exercise: 60,
      swimming: 1_500,
      swimming_duration: 60,
      swimming_strokes: 900,
    });
  });

  it('snow sports have a downhill and a cross-country distance', () => {
    assert.equal(fed({ sportType: 'snowboarding', distanceKm: 20 }).downhill_snow_sports, 20);
    assert.equal(fed({ sportType: 'cross_country_skiing', distanceKm: 20 }).cross_country_skiing, 20);
  });

  it('a wheelchair has its own distance, and is neither a run nor a walk', () => {
    for (const sportType of ['wheelchair', 'wheelchair_walk', 'wheelchair_run'])
      assert.deepEqual(
        fed({ sportType, distanceKm: 3 }),
        { workout_count: 1, exercise: 60, wheelchair_distance: 3 },
        sportType,
      );
  });

  it('a distance of 0 is a value, an unreported one is absent', () => {
    assert.equal(fed({ distanceKm: 0 }).running, 0);
    assert.ok(!('running' in fed({})));
  });

  it('time in zones adds up, and each device is named once', () => {
    const heartRateSamples = trace([0, 125], [60, 138], [120, 100]);
    const day = summarizeWorkoutDay([
      of('a', workout({ heartRateSamples })),
      of('a', workout({ heartRateSamples })),
      of('b', workout()),
    ]);
    const reported = Object.fromEntries(day);
    assert.deepEqual(reported.heart_rate_zone_1_time, { value: 2, devices: ['a'], amounts: new Map([['a', 2]]) });
    assert.deepEqual(reported.exercise?.devices, ['a', 'b']);
  });

  it('time in zones comes from the trace of one workout and from the source of another', () => {
    const sourceZones = { minutes: [4, 0, 0, 0, 7], isApproximate: false };
    const traced = of('a', workout({ heartRateSamples: trace([0, 125], [60, 100]), sourceZones }));
    const reported = Object.fromEntries(summarizeWorkoutDay([traced, of('b', workout({ sourceZones }))]));
    const given = (metric: string) => [reported[metric]?.value, [...(reported[metric]?.amounts ?? [])]];
    assert.deepEqual(given('heart_rate_zone_1_time'), [
      5,
      [
        ['a', 1],
        ['b', 4],
      ],
    ]);
    assert.deepEqual(given('heart_rate_zone_5_time'), [
      7,
      [
        ['a', 0],
        ['b', 7],
      ],
    ]);
  });

  it('are metrics of the catalog, whatever the sport', () => {
    const heartRateSamples = trace([0, 125]);
    for (const { type } of SPORTS) {
      const given = { sportType: type, distanceKm: 1, activeCalories: 1, swimmingStrokeCount: 1, heartRateSamples };
      for (const id of Object.keys(fed(given))) assert.ok(findMetric(id), id);
    }
  });
});
