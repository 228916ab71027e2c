import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assembleInputs, type DayInputs, NOTHING, type PersonOnDay, type WorkoutEffort } from '../scores/index.ts';
import { deriveFromHistory, HISTORY_RULES, type MetricHistory } from './history-metrics.ts';
import type { MetricId } from './index.ts';

const PERSON: PersonOnDay = {
  ageYears: 30,
  sex: 'male',
  weightKg: null,
  sleepNeedMinutes: null,
  energyGoalRatio: null,
  heartRateRange: { restBpm: 60, maxBpm: 180 },
};
const SLEPT = {
  asleep: 480,
  inBed: 480,
  awake: 0,
  deep: null,
  rem: null,
  wokeAt: 0,
} as unknown as DayInputs['mainSleep'];
/** 23:00 to 07:00, and a value of `asleep`. */
const night = (asleep: number, shift = 0): DayInputs => ({
  ...NOTHING,
  values: { asleep, sleep_midpoint: 180 + shift },
  mainSleep: SLEPT,
  sleepIntervals: [[-60 + shift, 420 + shift]],
});

/** Ordered by days before, the day itself first. */
function historyOf(days: readonly (DayInputs | null)[], person: Partial<PersonOnDay> = {}): MetricHistory {
  const history = { inputs: (before: number) => days[before] ?? null, scores: () => null };
  return { ...assembleInputs({ ...PERSON, ...person }, history), height: null };
}
const derive = (id: string, history: MetricHistory) => deriveFromHistory(id as MetricId, history)?.value ?? null;
const deriveRounded = (id: string, history: MetricHistory) => {
  const value = derive(id, history);
  return value === null ? null : Math.round(value * 1_000) / 1_000;
};
const WORKOUT: WorkoutEffort = { minutes: 30, histogram: null, zoneMinutes: null, averageBpm: null, activeKcal: null };

describe('training_load', () => {
  it('is the sum of impulses: 30 minutes at half of the reserve, plus steps', () => {
    const run = { ...WORKOUT, averageBpm: 120 };
    // x = 0.5: 30 * 0.5 * 0.64 * e^0.96 = 25.072
    assert.equal(deriveRounded('training_load', historyOf([{ ...NOTHING, workouts: [run] }])), 25.072);
    const walked = { ...NOTHING, workouts: [run], values: { steps: 6_000 }, workoutSteps: 2_000 };
    assert.equal(deriveRounded('training_load', historyOf([walked])), 45.072); // 5 per 1000 of the other 4000 steps
  });

  it('continues above the load at which strain is 100, and uses the latest weight if only energy is known', () => {
    const zones = { ...WORKOUT, minutes: 300, zoneMinutes: [0, 0, 300, 0, 0] };
    assert.equal(deriveRounded('training_load', historyOf([{ ...NOTHING, workouts: [zones] }])), 648.6); // 300 * 2.162
    const lifting = { ...NOTHING, workouts: [{ ...WORKOUT, activeKcal: 210 }] };
    const weighed = [lifting, ...Array.from({ length: 89 }, () => null), { ...NOTHING, values: { weight: 70 } }];
    assert.equal(deriveRounded('training_load', historyOf(weighed)), 45); // 15 * 210 / 70
  });

  it('is null without input, and for a child', () => {
    assert.equal(derive('training_load', historyOf([night(400)])), null);
    assert.equal(derive('training_load', historyOf([{ ...NOTHING, values: { steps: 0 } }])), 0);
    assert.equal(derive('training_load', historyOf([{ ...NOTHING, workouts: [WORKOUT] }], { ageYears: 12 })), null);
  });
});

describe('waking heart rate, its variability and the dip', () => {
  const still: DayInputs['still'] = [
    [1, 70, 40],
    [2, 80, null],
    [3, 84, 10],
  ];

  it('average the still windows: the heart rate by its mean, the variability by its logarithm', () => {
    const day = historyOf([{ ...NOTHING, still }]);
    assert.equal(derive('waking_heart_rate', day), 78);
    assert.equal(deriveRounded('waking_heart_rate_variability', day), 20); // sqrt(40 * 10)
    assert.deepEqual(deriveFromHistory('waking_heart_rate_variability' as MetricId, day)?.inputs, [
      { name: 'still_windows', value: 2, unit: 'count', daysBefore: 0 },
    ]);
  });

  it('are null without windows, or if no window has a variability', () => {
    assert.equal(derive('waking_heart_rate', historyOf([night(400)])), null);
    assert.equal(derive('waking_heart_rate_variability', historyOf([{ ...NOTHING, still: [[2, 80, null]] }])), null);
  });

  it('the dip is how much lower the night is than the day of the same date', () => {
    const day = { ...NOTHING, still, values: { sleep_heart_rate: 58.5 } };
    assert.equal(derive('sleep_heart_rate_dip', historyOf([day])), 25); // 100 * (1 - 58.5 / 78)
    assert.equal(derive('sleep_heart_rate_dip', historyOf([{ ...day, still: [] }])), null);
    assert.equal(derive('sleep_heart_rate_dip', historyOf([{ ...NOTHING, still }])), null);
    assert.equal(
      derive('sleep_heart_rate_dip', historyOf([{ ...day, values: { sleep_heart_rate: 130 } }])),
      null,
      '-66.7 is impossible',
    );
  });
});

describe('sleep need and debt', () => {
  const needOf = (person: Partial<PersonOnDay>) => derive('sleep_need', historyOf([night(400)], person));

  it('need follows the age, and the value in the profile wins', () => {
    assert.deepEqual(
      [14, 17, 18, 64, 65, null].map((ageYears) => needOf({ ageYears })),
      [540, 540, 480, 480, 450, 480],
    );
    assert.equal(needOf({ ageYears: 70, sleepNeedMinutes: 500 }), 500);
    assert.equal(needOf({ ageYears: 12 }), null, 'no target is given under 14');
    assert.equal(needOf({ ageYears: 12, sleepNeedMinutes: 600 }), 600);
    assert.equal(derive('sleep_need', historyOf([NOTHING])), null, 'no night');
  });

  it('debt is the mean shortfall of the known nights; a long night does not compensate', () => {
    const week = [420, 600, 450, 450].map((asleep) => night(asleep)); // short by 60, 0, 30, 30
    assert.equal(derive('sleep_debt', historyOf(week)), 30);
    assert.equal(
      derive('sleep_debt', historyOf([week[0] ?? null, null, null, ...week.slice(1)])),
      30,
      'missing days do not count',
    );
    assert.equal(derive('sleep_debt', historyOf(week.slice(0, 2))), null, 'two nights are too few');
    assert.equal(derive('sleep_debt', historyOf([null, ...week])), null, 'no night on the day itself');
    const older = [...week.slice(0, 2), null, null, null, null, null, night(0)];
    assert.equal(derive('sleep_debt', historyOf(older)), null, 'the eighth day is outside the week');
    assert.equal(derive('sleep_debt', historyOf(week, { sleepNeedMinutes: 540 })), 75); // 120, 0, 90, 90
  });

  it('debt lists the nights it is computed from', () => {
    const days = [night(420), null, night(450), night(480)];
    assert.deepEqual(
      deriveFromHistory('sleep_debt' as MetricId, historyOf(days))?.inputs.map(({ name, value, daysBefore }) => [
        name,
        value,
        daysBefore,
      ]),
      [
        ['sleep_need', 480, 0],
        ['asleep', 420, 0],
        ['asleep', 450, 2],
        ['asleep', 480, 3],
      ],
    );
  });
});

describe('regularity', () => {
  it('is the circular spread of mid-sleep over 14 nights, at least 5', () => {
    const spread = (shifts: readonly number[]) =>
      deriveRounded('sleep_midpoint_variability', historyOf(shifts.map((shift) => night(480, shift))));
    assert.equal(spread([0, 0, 0, 0, 0]), 0);
    // R = (3 + 2 cos 15°) / 5 = 0.98637; sqrt(-2 ln R) = 0.16567, of 1440 / 2π minutes each
    assert.equal(spread([0, 60, -60, 0, 0]), 37.969);
    assert.equal(spread([0, 60, -60, 0]), null);
    assert.equal(spread([...Array.from({ length: 14 }, () => 0), 600]), 0, 'the fifteenth night does not count');
    assert.equal(
      derive('sleep_midpoint_variability', historyOf([null, ...Array.from({ length: 9 }, () => night(480))])),
      null,
    );
  });

  it('the index handles an odd night of eight, naps, and missing nights', () => {
    const nights = (count: number) => Array.from({ length: count }, () => night(480));
    assert.equal(derive('sleep_regularity_index', historyOf(nights(7))), 100);
    assert.equal(deriveRounded('sleep_regularity_index', historyOf([night(480, 120), ...nights(6)])), 94.444);
    assert.equal(derive('sleep_regularity_index', historyOf(nights(6))), null);
    assert.equal(
      derive('sleep_regularity_index', historyOf([null, ...nights(10)])),
      null,
      'no night on the day itself',
    );
    const hidden: DayInputs = { ...NOTHING, mainSleep: SLEPT };
    assert.equal(
      derive('sleep_regularity_index', historyOf([night(480), hidden, ...nights(5)])),
      null,
      'its sleeps are not known',
    );
  });
});

describe('body_mass_index', () => {
  const weighed = historyOf([{ ...NOTHING, values: { weight: 70 } }]);

  it('is the weight of the day divided by the height squared', () => {
    assert.equal(deriveRounded('body_mass_index', { ...weighed, height: { cm: 175, daysBefore: 400 } }), 22.857);
    assert.equal(derive('body_mass_index', weighed), null, 'no height');
    const old = historyOf([NOTHING, { ...NOTHING, values: { weight: 70 } }], { weightKg: 80 });
    assert.equal(
      derive('body_mass_index', { ...old, height: { cm: 175, daysBefore: null } }),
      null,
      'no weight on the day',
    );
    assert.equal(
      derive('body_mass_index', { ...weighed, height: { cm: 30, daysBefore: 0 } }),
      null,
      '777 is impossible',
    );
  });
});

describe('the reach of a change', () => {
  it('is as long as declared for every metric', () => {
    const base = (seed: number): DayInputs => {
      const { values, ...rest } = night(420 + ((seed * 37) % 90), (seed * 53) % 120);
      const still: DayInputs['still'] = [[1, 70 + (seed % 9), 30 + (seed % 7)]];
      const workouts = [{ ...WORKOUT, activeKcal: 200 + seed }];
      return { ...rest, still, workouts, values: { ...values, sleep_heart_rate: 55 } };
    };
    const history = Array.from({ length: 91 }, (_, before) => base(before));
    const others: DayInputs[] = [night(300, 500), { ...NOTHING, values: { weight: 81 } }];
    const moved = new Map<MetricId, number>();
    for (const [before, other] of history.flatMap((_, index) => others.map((one) => [index, one] as const))) {
      const changed = historyOf(history.with(before, other));
      for (const id of HISTORY_RULES.keys())
        if (derive(id, changed) !== derive(id, historyOf(history))) moved.set(id, before);
    }
    const declared = [...HISTORY_RULES].filter(([, { reachDays }]) => reachDays !== 'next_height');
    assert.equal(declared.length, 8);
    assert.deepEqual(
      declared.map(([id]) => [id, moved.get(id)]),
      declared.map(([id, { reachDays }]) => [id, reachDays]),
    );
  });
});
