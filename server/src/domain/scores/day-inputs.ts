// The score inputs of one day, derived from that day alone. Stored for each day, so that a score is a function of
// stored inputs; assemble-inputs.ts adds the days before.
import { findMetric, type MetricId } from '../metrics/index.ts';
import type { EpochMs, HrvKind } from '../records/records.ts';
import type { DeviceNumber } from '../tenancy.ts';
import type { HeartHistogram } from '../workouts/heart-histogram.ts';
import type { WorkoutEffort } from './strain-load.ts';

/**
 * Canonical daily values that scores and `history-metrics.ts` read, if the day has them. None of them is computed by
 * those.
 */
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
 * Sleep and recovery follow the night at once, and `body_mass_index` its inputs. Other scores of the current day can
 * wait.
 */
const SCORED_AT_ONCE: ReadonlySet<string> = new Set([
  ...SCORED_METRICS.filter((id) => findMetric(id)?.category === 'sleep'),
  'sleep_heart_rate_variability',
  'resting_heart_rate',
  'weight',
  'height',
  'body_mass_index',
]);

export function isScoredAtOnce(metric: MetricId): boolean {
  return SCORED_AT_ONCE.has(metric);
}

/**
 * Heart rate variability of a night, best first: of the main sleep by kind, then of the day. Each of them with each
 * device is a separate series, because they cannot be compared.
 */
export const HRV_MEASURES = ['sleep_rmssd', 'sleep_sdnn', 'rmssd', 'sdnn'] as const;
export type HrvMeasure = (typeof HRV_MEASURES)[number];

export function nameHrvSeries(measure: HrvMeasure, device: DeviceNumber): string {
  return `${measure}/${device}`;
}

/** The inverse of `nameHrvSeries`. */
export function parseHrvSeries(series: string): { readonly measure: HrvMeasure; readonly device: DeviceNumber } {
  const [measure, device] = series.split('/');
  return { measure: measure as HrvMeasure, device: Number(device) as DeviceNumber };
}

export function hrvKindOfSeries(series: string): HrvKind {
  return series.startsWith('sleep_sdnn/') || series.startsWith('sdnn/') ? 'sdnn' : 'rmssd';
}

/** The main sleep with all its parts. Null: not reported. */
export type MainSleep = {
  readonly asleep: number | null;
  readonly inBed: number | null;
  readonly awake: number | null;
  readonly deep: number | null;
  readonly rem: number | null;
  readonly wokeAt: EpochMs;
};

/** The id of its series: `nameHrvSeries`. */
export type NightHrv = { readonly series: string; readonly ms: number };

/** A still quarter hour while awake, by its number since 1970: medians of its measurements. */
export type StillQuarter = readonly [quarter: number, heartRateBpm: number, rmssdMs: number | null];

/** Whole local minutes after the midnight that begins the date; negative before it. */
export type SleepInterval = readonly [startMinute: number, endMinute: number];

export type DayInputs = {
  readonly values: Readonly<Partial<Record<ScoredMetric, number>>>;
  readonly mainSleep: MainSleep | null;
  /** The canonical value of the night first, then those of other devices and kinds. */
  readonly hrv: readonly NightHrv[];
  readonly workouts: readonly WorkoutEffort[];
  /** Counted by workouts, and included in `steps`. */
  readonly workoutSteps: number;
  /** Outside workouts and sleep, in whole beats; null if heart rate does not cover the day. */
  readonly heart: HeartHistogram | null;
  readonly still: readonly StillQuarter[];
  /** The stress samples of the device; null if no device reports stress. */
  readonly deviceStress: readonly number[] | null;
  /** From the main sleep until now, or until the end of the day. */
  readonly hoursAwake: number | null;
  /** Of every canonical sleep of the date, naps included. Missing in days that an earlier version stored. */
  readonly sleepIntervals?: readonly SleepInterval[];
  /** Asleep after the main sleep. */
  readonly napHours: number | null;
  /** For hidden days, whose scores are not published. */
  readonly carried?: { readonly strain: number | null; readonly energyReserve: number | null };
};

/** Joins the reported inputs of a day with its hidden ones field by field: a day with uploaded steps keeps its hidden night. */
export function joinInputs(reported: DayInputs, hidden: DayInputs): DayInputs {
  const isReported = (series: string) => reported.hrv.some((one) => one.series === series);
  return {
    ...reported,
    values: { ...hidden.values, ...reported.values },
    mainSleep: reported.mainSleep ?? hidden.mainSleep,
    hrv: [...reported.hrv, ...hidden.hrv.filter(({ series }) => !isReported(series))],
    sleepIntervals: reported.mainSleep === null ? (hidden.sleepIntervals ?? []) : (reported.sleepIntervals ?? []),
    still: reported.still.length > 0 ? reported.still : hidden.still,
  };
}
