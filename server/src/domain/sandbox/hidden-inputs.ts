// The score inputs of days without stored records, so that baselines exist from the first day on.

import type { EpochMs, SleepSession } from '../records/records.ts';
import {
  type DayInputs,
  effortOf,
  type NightHrv,
  type ScoredMetric,
  type SleepInterval,
  type StillQuarter,
  scoreStrain,
} from '../scores/index.ts';
import { totalSleep } from '../sleep/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import { buildHeartHistogram, findHeartRateRange, type HeartHistogram } from '../workouts/index.ts';
import { createDraw } from './draw.ts';
import { type Nutrient, sumNutrient } from './food.ts';
import { forMinutes } from './heart.ts';
import type { LivedDay } from './lived-day.ts';
import { weighOn } from './phone.ts';
import { ringHrv, seeSleepsWithRing, seeSleepsWithWatch, watchHrv } from './seen-sleep.ts';
import { seeWorkoutsWithPhone, seeWorkoutsWithWatch } from './seen-workout.ts';
import { findStillQuarters, QUARTER_MS, readWakingRmssd, sumOf } from './still-quarters.ts';
import { COUNTED_STEPS, readWatch, restingBpmOfWatch } from './watch.ts';
import { isDuring, listWatchGaps, watchNightOf } from './wear.ts';

/** The heart-rate range of the first visible days, before five resting heart rates are known. */
const FIRST_DAYS_RANGE = findHeartRateRange({
  enteredMaxBpm: null,
  observedMaxBpm: null,
  ageYears: null,
  baselineRestBpm: null,
});

/** The score series of the night's variability by device. */
type HrvSeries = { readonly ring: string; readonly watch: string };

export function inputsOfDay(day: LivedDay, series: HrvSeries): DayInputs {
  const ring = seeSleepsWithRing(day);
  const night = ring.find(isNight) ?? seeSleepsWithWatch(day).find(isNight) ?? null;
  const naps = ring.filter((session) => !isNight(session));
  const workouts = listCanonicalWorkouts(day);
  const efforts = workouts.map((workout) => effortOf(workout, buildHeartHistogram(workout)));
  const heart = countBeats(day);
  const { person } = day;
  const strain = scoreStrain({
    sex: person.sex,
    weightKg: person.weightKg,
    heartRateRange: FIRST_DAYS_RANGE,
    workouts: efforts,
    dailyHeartRate: heart,
    otherSteps: null,
  });
  const totals = night === null ? null : totalSleep(night);
  return {
    values: { ...describeSleep(day, night, naps), ...describeDay(day) },
    mainSleep:
      night === null || totals === null
        ? null
        : {
            asleep: totals.asleep,
            inBed: totals.inBed,
            awake: totals.awake,
            deep: totals.deep,
            rem: totals.rem,
            wokeAt: night.end,
          },
    hrv: listHrv(day, ring.some(isNight), series),
    workouts: efforts,
    workoutSteps: workouts.reduce((sum, { steps }) => sum + (steps ?? 0), 0),
    heart,
    still: listStill(day),
    deviceStress: null,
    hoursAwake: night === null ? null : (day.toMs - night.end) / HOUR_MS,
    sleepIntervals: night === null ? [] : listIntervals(day, [night, ...naps]),
    napHours: naps.length === 0 ? null : naps.reduce((sum, nap) => sum + (totalSleep(nap).asleep ?? 0), 0) / 60,
    carried: {
      strain: strain?.value ?? null,
      energyReserve: Math.round(createDraw(person.seed, 'reserve', day.date).near(36, 6) * 10) / 10,
    },
  };
}

function listIntervals({ zone, date }: LivedDay, sleeps: readonly SleepSession[]): SleepInterval[] {
  const minuteOf = (ms: EpochMs) => Math.round(zone.wallMinutes(ms, date));
  return sleeps.map(({ start, end }) => [minuteOf(start), minuteOf(end)]);
}

function isNight({ key }: SleepSession): boolean {
  return key.startsWith('night');
}

/** The phone ranks before the watch, as everywhere. */
function listCanonicalWorkouts(day: LivedDay) {
  const onPhone = seeWorkoutsWithPhone(day);
  const keys = new Set(onPhone.map(({ key }) => key));
  return [...onPhone, ...seeWorkoutsWithWatch(day).filter(({ key }) => !keys.has(key))];
}

type Values = Partial<Record<ScoredMetric, number>>;

function describeSleep(day: LivedDay, night: SleepSession | null, naps: readonly SleepSession[]): Values {
  if (night === null) return {};
  const all = [night, ...naps].map(totalSleep);
  const add = (part: 'asleep' | 'inBed' | 'awake' | 'deep' | 'rem') =>
    all.reduce((sum, one) => sum + (one[part] ?? 0), 0);
  const wall = (ms: EpochMs) => day.zone.wallMinutes(ms, day.date);
  return {
    asleep: add('asleep'),
    time_in_bed: add('inBed'),
    time_awake: add('awake'),
    deep_sleep: add('deep'),
    REM: add('rem'),
    sleep_midpoint: (wall(night.start) + wall(night.end)) / 2,
    ...(night.respiratoryRate !== null && { sleep_respiratory_rate: night.respiratoryRate }),
    ...(night.skinTemperature !== null && {
      sleep_skin_temperature: night.skinTemperature,
      sleep_temperature_deviation: Math.round(day.condition.temperatureDeviationC * 100) / 100,
    }),
  };
}

function describeDay(day: LivedDay): Values {
  const { person, condition, food } = day;
  const eaten = (name: Nutrient) => sumNutrient(food, name);
  const weight = weighOn(day);
  return {
    resting_heart_rate: restingBpmOfWatch(day) ?? Math.round(condition.restingBpm),
    sleep_heart_rate_min: Math.round(condition.restingBpm - 1),
    steps: canonicalStepsOfDay(day),
    total_calories: Math.round((person.basalKcal * (day.toMs - day.fromMs)) / DAY_MS + countedKcalOfDay(day)),
    dietary_energy: eaten('dietary_energy'),
    protein: eaten('protein'),
    carbohydrates: eaten('carbohydrates'),
    fat: eaten('fat'),
    saturated_fat: eaten('saturated_fat'),
    fiber: eaten('fiber'),
    sugar: eaten('sugar'),
    sodium: eaten('sodium'),
    water: food.drinks.reduce((sum, { millilitres }) => sum + millilitres, 0),
    ...(weight !== null && { weight }),
  };
}

/** The variability of the canonical night comes first. */
function listHrv(day: LivedDay, hasRingNight: boolean, series: HrvSeries): NightHrv[] {
  const isWatchWhole = !day.story.isWatchOff && watchNightOf(day.person, day.date, day.story) === 'worn';
  return [
    ...(hasRingNight ? [{ series: series.ring, ms: ringHrv(day) }] : []),
    ...(isWatchWhole ? [{ series: series.watch, ms: watchHrv(day) }] : []),
  ];
}

/** Outside workouts and sleep. */
function countBeats(day: LivedDay): HeartHistogram {
  const isAway = new Uint8Array(day.bpm.length);
  for (const { start, end } of [...listWatchGaps(day), ...day.beds, ...day.workouts])
    forMinutes(isAway, day.fromMs, start, end, (minute) => {
      isAway[minute] = 1;
    });
  const held = new Map<number, number>();
  for (let minute = 0; minute < isAway.length; minute++) {
    if (isAway[minute] === 1) continue;
    const bpm = readWatch(day, minute);
    held.set(bpm, (held.get(bpm) ?? 0) + MINUTE_MS);
  }
  return [...held].sort(([a], [b]) => a - b);
}

function listStill(day: LivedDay): StillQuarter[] {
  const gaps = listWatchGaps(day);
  const rmssdAt = readWakingRmssd(day);
  const still = new Set(findStillQuarters(day));
  const beats = new Float64Array(QUARTER_MS / MINUTE_MS);
  return findStillQuarters(day, (from, to) => canonicalSteps(day, gaps, from, to))
    .filter((start) => !isDuring(gaps, start))
    .map((start) => {
      const minute = Math.round((start - day.fromMs) / MINUTE_MS);
      for (let index = 0; index < beats.length; index++) beats[index] = readWatch(day, minute + index);
      beats.sort();
      return [start / QUARTER_MS, beats[beats.length >> 1] ?? 0, still.has(start) ? rmssdAt(start) : null];
    });
}

/**
 * Steps in a quarter hour: the phone's if it has any, because it ranks before the watch, which counts none while it is
 * not worn.
 */
function canonicalSteps(day: LivedDay, gaps: ReturnType<typeof listWatchGaps>, from: number, to: number): number {
  const ofPhone = sumOf(day.phoneSteps, from, to);
  if (ofPhone > 0 || isDuring(gaps, day.fromMs + from * MINUTE_MS)) return ofPhone;
  return Math.round(COUNTED_STEPS * sumOf(day.steps, from, to));
}

function canonicalStepsOfDay(day: LivedDay): number {
  const gaps = listWatchGaps(day);
  return sumQuarters(day, (from, to) => canonicalSteps(day, gaps, from, to));
}

/** The watch counts none while it is not worn, and no other device counts them. */
function countedKcalOfDay(day: LivedDay): number {
  const gaps = listWatchGaps(day);
  return sumQuarters(day, (from, to) =>
    isDuring(gaps, day.fromMs + from * MINUTE_MS) ? 0 : sumOf(day.activeKcal, from, to),
  );
}

/** `count`: of the minutes [from, to). */
function sumQuarters(day: LivedDay, count: (from: number, to: number) => number): number {
  const minutes = QUARTER_MS / MINUTE_MS;
  let total = 0;
  for (let from = 0; from < day.steps.length; from += minutes) total += count(from, from + minutes);
  return total;
}
