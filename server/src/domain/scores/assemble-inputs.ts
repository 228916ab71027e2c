// Assembles the inputs of one day's scores from the stored inputs of the day and of the days before.

import type { HeartRateRange } from '../workouts/heart-rate-range.ts';
import {
  baselineOf,
  NIGHT_HRV_RULE,
  NIGHT_TEMPERATURE_RULE,
  RESPIRATORY_RATE_RULE,
  RESTING_HEART_RATE_RULE,
  WAKING_HEART_RATE_RULE,
  WAKING_HRV_RULE,
} from './baseline.ts';
import type { Sex } from './by-sex.ts';
import { type DayInputs, hrvKindOfSeries, type ScoredMetric } from './day-inputs.ts';
import { DEBT_DAYS, LOOK_BACK_DAYS, MIDPOINT_DAYS, STRAIN_DAYS, WEIGHT_DAYS } from './look-back.ts';
import { averageWeekHrv, WEEK_NIGHTS } from './recent-nights.ts';
import { isOldEnough } from './score.ts';
import type { ScoreInputs, Tracked } from './score-inputs.ts';
import { averageWindows, shareOfHighStress, stressOfWindow, type UsualWaking } from './stress-windows.ts';

export type PersonOnDay = {
  readonly ageYears: number | null;
  readonly sex: Sex | null;
  /** Entered in the profile; a measured weight wins. */
  readonly weightKg: number | null;
  readonly sleepNeedMinutes: number | null;
  readonly energyGoalRatio: number | null;
  readonly heartRateRange: HeartRateRange;
};

export type CarriedScores = { readonly strain: number | null; readonly energyReserve: number | null };

type ScoredHistory = {
  /** 0: the day itself. Null: nothing is known about that day. */
  inputs(daysBefore: number): DayInputs | null;
  /** From 1. */
  scores(daysBefore: number): CarriedScores | null;
};

/** A sample of the `stress_score` series computed by the service: the quarter hour since 1970, and its stress. */
export type ComputedStress = readonly [quarter: number, stress: number];

type AssembledDay = {
  readonly inputs: ScoreInputs;
  readonly stressSeries: readonly ComputedStress[];
  /** The days it was assembled from, by days before: the day itself first. */
  readonly days: readonly (DayInputs | null)[];
};

type Read = (day: DayInputs) => number | null;

export function assembleInputs(person: PersonOnDay, history: ScoredHistory): AssembledDay {
  const past = listInputs(history);
  const day = past[0] ?? NOTHING;
  const track = (days: number, choices: readonly Read[]) => trackFirst(past, day, days, choices);
  const value =
    (metric: ScoredMetric): Read =>
    ({ values }) =>
      values[metric] ?? null;
  const read = (metric: ScoredMetric) => value(metric)(day);
  const wakingHeartRate = track(WAKING_HEART_RATE_RULE.windowDays, [(one) => averageStill(one).heartRate]);
  const wakingHrvTrack = track(WAKING_HRV_RULE.windowDays, [(one) => averageStill(one).hrv]);
  const wakingHrv = { ...wakingHrvTrack, hrvKind: 'rmssd' as const };
  const isScored = isOldEnough(person.ageYears);
  const stressSeries = isScored ? computeStress(day, findUsual(wakingHeartRate, wakingHrv)) : [];
  const { mainSleep, values } = day;
  const inputs: ScoreInputs = {
    ...person,
    weightKg: findWeight(past) ?? person.weightKg,
    asleep: track(DEBT_DAYS, [value('asleep')]),
    mainAsleepMinutes: mainSleep?.asleep ?? read('asleep'),
    inBedMinutes: mainSleep?.inBed ?? read('time_in_bed'),
    awakeMinutes: mainSleep?.awake ?? read('time_awake'),
    deepMinutes: mainSleep?.deep ?? read('deep_sleep'),
    remMinutes: mainSleep?.rem ?? read('REM'),
    midSleepMinutes: track(MIDPOINT_DAYS, [value('sleep_midpoint')]),
    nightHrv: trackHrv(past, day),
    restingHeartRate: track(RESTING_HEART_RATE_RULE.windowDays, [
      value('resting_heart_rate'),
      value('sleep_heart_rate_min'),
    ]),
    respiratoryRate: track(RESPIRATORY_RATE_RULE.windowDays, [
      value('sleep_respiratory_rate'),
      value('respiratory_rate'),
    ]),
    temperatureDeviationC: read('sleep_temperature_deviation'),
    nightTemperature: track(NIGHT_TEMPERATURE_RULE.windowDays, [
      value('sleep_skin_temperature'),
      value('sleep_wrist_temperature'),
      value('sleep_body_temperature'),
    ]),
    workouts: day.workouts,
    dailyHeartRate: day.heart,
    otherSteps: values.steps === undefined ? null : Math.max(0, values.steps - day.workoutSteps),
    strainBefore: listBefore(STRAIN_DAYS, (days) => history.scores(days)?.strain ?? null),
    wakingHeartRate,
    wakingHrv,
    highStressPct:
      day.deviceStress === null
        ? shareOfHighStress(
            stressSeries.map(([, stress]) => stress),
            'computed',
          )
        : shareOfHighStress(day.deviceStress, 'device'),
    eatenKcal: read('dietary_energy'),
    spentKcal: read('total_calories'),
    basalKcal: read('basal_metabolic_rate'),
    proteinG: read('protein'),
    carbohydratesG: read('carbohydrates'),
    fatG: read('fat'),
    saturatedFatG: read('saturated_fat'),
    fiberG: read('fiber'),
    sugarG: read('sugar'),
    sodiumMg: read('sodium'),
    waterMl: read('water'),
    yesterdayReserve: history.scores(1)?.energyReserve ?? null,
    hoursAwake: day.hoursAwake,
    napHours: day.napHours,
  };
  return { inputs, stressSeries, days: past };
}

export const NOTHING: DayInputs = {
  values: {},
  mainSleep: null,
  hrv: [],
  workouts: [],
  workoutSteps: 0,
  heart: null,
  still: [],
  deviceStress: null,
  hoursAwake: null,
  napHours: null,
};

type Past = readonly (DayInputs | null)[];

/** By days before. Each day is looked up once and then read many times. */
function listInputs(history: ScoredHistory): Past {
  const past: (DayInputs | null)[] = [];
  for (let days = 0; days <= LOOK_BACK_DAYS; days += 1) past.push(history.inputs(days));
  return past;
}

/** The first metric that the day has, and the same metric on the days before. */
function trackFirst(past: Past, day: DayInputs, days: number, choices: readonly Read[]): Tracked {
  const choice = choices.find((read) => read(day) !== null);
  if (choice === undefined) return { value: null, before: [] };
  return { value: choice(day), before: readBefore(past, days, choice) };
}

/** Compared with nights of the same device and kind, even if another one was canonical then. */
function trackHrv(past: Past, day: DayInputs): Tracked {
  const [tonight] = day.hrv;
  const readSeries = (series: string) =>
    readBefore(past, NIGHT_HRV_RULE.windowDays, ({ hrv }) => hrv.find((one) => one.series === series)?.ms ?? null);
  if (tonight !== undefined)
    return { value: tonight.ms, before: readSeries(tonight.series), hrvKind: hrvKindOfSeries(tonight.series) };
  // A night without HRV continues the latest series that has a weekly mean.
  const lately = past.slice(1, WEEK_NIGHTS).flatMap((night) => night?.hrv ?? []);
  for (const series of new Set(lately.map((one) => one.series))) {
    const before = readSeries(series);
    if (averageWeekHrv([null, ...before]) !== null) return { value: null, before, hrvKind: hrvKindOfSeries(series) };
  }
  return { value: null, before: [] };
}

function readBefore(past: Past, days: number, read: Read): (number | null)[] {
  const values: (number | null)[] = [];
  for (let before = 1; before <= days; before += 1) {
    const inputs = past[before] ?? null;
    values.push(inputs === null ? null : read(inputs));
  }
  return values;
}

function listBefore(days: number, read: (daysBefore: number) => number | null): (number | null)[] {
  const values: (number | null)[] = [];
  for (let before = 1; before <= days; before += 1) values.push(read(before));
  return values;
}

/** The latest weight of the last days, the day itself included. */
export function findLatestWeight(weightBefore: (days: number) => number | null): number | null {
  for (let days = 0; days <= WEIGHT_DAYS; days += 1) {
    const weight = weightBefore(days);
    if (weight !== null) return weight;
  }
  return null;
}

function findWeight(past: Past): number | null {
  return findLatestWeight((daysBefore) => past[daysBefore]?.values.weight ?? null);
}

/** Cached, because each day is read again for many following days. */
const averages = new WeakMap<DayInputs, { heartRate: number | null; hrv: number | null }>();

function averageStill(day: DayInputs) {
  return averages.getOrInsertComputed(day, ({ still }) => {
    const means = averageWindows(still.map(([, heartRateBpm, rmssdMs]) => ({ heartRateBpm, rmssdMs })));
    return { heartRate: means?.heartRateBpm ?? null, hrv: means?.rmssdMs ?? null };
  });
}

function findUsual(heartRate: Tracked, hrv: Tracked): UsualWaking | null {
  const ofHeart = baselineOf(WAKING_HEART_RATE_RULE, heartRate.before);
  if (ofHeart === null) return null;
  return { heartRate: ofHeart, hrv: baselineOf(WAKING_HRV_RULE, hrv.before) };
}

function computeStress({ still }: DayInputs, usual: UsualWaking | null): ComputedStress[] {
  if (usual === null) return [];
  return still.map(([quarter, heartRateBpm, rmssdMs]) => [quarter, stressOfWindow({ heartRateBpm, rmssdMs }, usual)]);
}
