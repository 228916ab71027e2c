// Limits for all device records, uploaded or fetched: too old, too far in the future, too long, physically impossible
// (gap G-52).

import { findUnstorable } from '../storable-text.ts';
import { DAY_MS, HOUR_MS } from '../time/durations.ts';
import { getMetricOrThrow, type Metric, type MetricId, type Range } from './index.ts';

/** The earliest birth date that a profile accepts (gap G-16); no measurement is older. */
export const EARLIEST_MS = Date.UTC(1900, 0, 1);
/** Allows for phone clocks that run ahead and for wrong zones. */
export const MAX_AHEAD_MS = 24 * HOUR_MS;
/**
 * A weekly burden or walking steadiness is one sample. Anything longer than a month is a broken clock, and would affect
 * thousands of days.
 */
export const MAX_SAMPLE_MS = 31 * DAY_MS;
/** The catalog's limit of time in bed and time asleep on one day; a longer record cannot belong to a day. */
export const MAX_SLEEP_MS = 24 * HOUR_MS;
/** One every ten seconds; the finest epoch that devices score is 30 s. */
export const MAX_STAGES = MAX_SLEEP_MS / 10_000;
/** The longest mountain races allow 150 hours. */
export const MAX_WORKOUT_MS = 7 * DAY_MS;
/** Devices round the times of a session and of its parts to seconds independently. */
export const ROUNDING_MS = 1_000;
/** Reported minutes are rounded. */
export const MINUTES_TOLERANCE = 1;

/** For names, models and record ids: twice what any platform writes, and short enough for an index entry. */
export const MAX_TEXT_LENGTH = 255;
export const MAX_WORD_LENGTH = 64;

export function findTextProblem(text: string, maxLength: number): string | null {
  if (text === '' || text.length > maxLength) return `must have 1 to ${maxLength} characters`;
  return findUnstorable(text);
}

/** Only the service computes these metrics; devices cannot send them. */
export function isComputed({ consolidation: { by } }: Metric): boolean {
  return by === 'derived' || by === 'computed';
}

/**
 * Derived totals that a provider may still report, because some count active and resting energy together (gap G-230).
 */
const STATED_TOTALS: ReadonlySet<string> = new Set(['total_calories']);

/** Whether a provider's value is accepted. Uploads send the parts instead. */
export function isTakenFromProviders(metric: Metric): boolean {
  return !isComputed(metric) || STATED_TOTALS.has(metric.id);
}

const limitsOf = (id: string): Range => getMetricOrThrow(id as MetricId).limits;

export const SLEEP_LIMITS = {
  heartRate: limitsOf('sleep_heart_rate'),
  rmssd: limitsOf('sleep_heart_rate_variability'),
  sdnn: limitsOf('heart_rate_variability'),
  respiratoryRate: limitsOf('sleep_respiratory_rate'),
  bloodOxygen: limitsOf('sleep_blood_oxygen'),
  bodyTemperature: limitsOf('sleep_body_temperature'),
  skinTemperature: limitsOf('sleep_skin_temperature'),
  wristTemperature: limitsOf('sleep_wrist_temperature'),
};

export const WORKOUT_LIMITS = {
  heartRate: limitsOf('heart_rate'),
  mets: { min: 0, max: limitsOf('average_met').max },
  weatherC: { min: -90, max: 60 }, // the lowest and highest temperatures measured on earth
  percent: { min: 0, max: 100 },
  lapM: { min: 0, max: 1_000 }, // pools have up to 100 m, laps in open water more
} as const satisfies Record<string, Range>;

/** The metric whose daily limit bounds a workout total. Distance uses cycling, the longest distance by muscle power. */
const TOTALS = {
  distanceKm: limitsOf('cycling'),
  activeCalories: limitsOf('active_calories'),
  steps: limitsOf('steps'),
  elevationGainM: limitsOf('elevation_gain'),
  swimmingStrokeCount: limitsOf('swimming_strokes'),
};
type WorkoutTotal = keyof typeof TOTALS;

/** A total is impossible if it exceeds the daily limit times the days that the workout lasted. */
export function limitOfTotal(total: WorkoutTotal, lengthMs: number): Range {
  return { min: 0, max: TOTALS[total].max * Math.ceil(lengthMs / DAY_MS) };
}
