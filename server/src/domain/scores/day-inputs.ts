// What the scores of one day are made of, told by that day alone. Kept for each day, so that a score is a function of what is
// kept: assemble-inputs.ts puts the days before it beside it.
import type { EpochMs, HrvKind } from '../records/records.ts';
import type { DeviceNumber } from '../tenancy.ts';
import type { HeartHistogram } from '../workouts/heart-histogram.ts';
import type { WorkoutEffort } from './strain-load.ts';

/** Canonical daily values that scores and `history-metrics.ts` read, where the day has them. None that is computed with them. */
export const SCORED_METRICS = [
  'asleep',
  'time_in_bed',
  'time_awake',
  'deep_sleep',
  'REM',
  'sleep_midpoint',
  'resting_heart_rate',
  'sleep_heart_rate',
  'sleep_heart_rate_min',
  'sleep_respiratory_rate',
  'respiratory_rate',
  'sleep_temperature_deviation',
  'sleep_skin_temperature',
  'sleep_wrist_temperature',
  'sleep_body_temperature',
  'steps',
  'dietary_energy',
  'total_calories',
  'basal_metabolic_rate',
  'protein',
  'carbohydrates',
  'fat',
  'saturated_fat',
  'fiber',
  'sugar',
  'sodium',
  'water',
  'weight',
  'height',
] as const;
export type ScoredMetric = (typeof SCORED_METRICS)[number];

/**
 * Heart rate variability of a night, best first: of the main sleep by kind, then of the day. Each of them with each device is
 * a series of its own, as they do not compare.
 */
export const HRV_MEASURES = ['sleep_rmssd', 'sleep_sdnn', 'rmssd', 'sdnn'] as const;
export type HrvMeasure = (typeof HRV_MEASURES)[number];

export function nameHrvSeries(measure: HrvMeasure, device: DeviceNumber): string {
  return `${measure}/${device}`;
}

export function hrvKindOfSeries(series: string): HrvKind {
  return series.startsWith('sleep_sdnn/') || series.startsWith('sdnn/') ? 'sdnn' : 'rmssd';
}

/** The main sleep, all its parts together. Null: no device said. */
export type MainSleep = {
  readonly asleep: number | null;
  readonly inBed: number | null;
  readonly awake: number | null;
  readonly deep: number | null;
  readonly rem: number | null;
  readonly wokeAt: EpochMs;
};

/** Its series: `nameHrvSeries`. */
export type NightHrv = { readonly series: string; readonly ms: number };

/** A quarter hour awake and still, by its number since 1970: medians of what was measured in it. */
export type StillQuarter = readonly [quarter: number, heartRateBpm: number, rmssdMs: number | null];

/** Whole minutes of the wall clock after the midnight that begins the date; negative before it. */
export type SleepInterval = readonly [startMinute: number, endMinute: number];

export type DayInputs = {
  readonly values: Readonly<Partial<Record<ScoredMetric, number>>>;
  readonly mainSleep: MainSleep | null;
  /** What was chosen for the night first, then what the other devices and kinds say of it. */
  readonly hrv: readonly NightHrv[];
  readonly workouts: readonly WorkoutEffort[];
  /** Counted by workouts, and part of `steps`. */
  readonly workoutSteps: number;
  /** Outside of workouts and sleep, in whole beats; null where heart rate is not of all the day. */
  readonly heart: HeartHistogram | null;
  readonly still: readonly StillQuarter[];
  /** The device's own stress of the day, sample by sample; null where no device says it. */
  readonly deviceStress: readonly number[] | null;
  /** After the main sleep, until the day was looked at or ended. */
  readonly hoursAwake: number | null;
  /** Of every shown sleep of the date, naps included. Missing in days that were kept by an earlier version. */
  readonly sleepIntervals?: readonly SleepInterval[];
  /** Asleep after the main sleep. */
  readonly napHours: number | null;
  /** Of hidden days, which have no scores of their own that are shown. */
  readonly carried?: { readonly strain: number | null; readonly energyReserve: number | null };
};
