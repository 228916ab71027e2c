// What no record of a device can be, whoever brings it: too old, too far ahead, too long, physically impossible (gap G-52).
import { getMetricOrThrow, type Metric, type MetricId, type Range } from './index.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** No measurement is older: the oldest birth date that a profile takes (gap G-16). */
export const EARLIEST_MS = Date.UTC(1900, 0, 1);
/** Clocks of phones run ahead, and zones are mistaken; a day is more than either. */
export const MAX_AHEAD_MS = 24 * HOUR_MS;
/** A week's burden or walking steadiness is one sample; longer than a month is a broken clock, and would touch thousands of days. */
export const MAX_SAMPLE_MS = 31 * DAY_MS;
/** The catalog's limit of time in bed and time asleep on one day: what is longer fits no day, so it is no sleep. */
export const MAX_SLEEP_MS = 24 * HOUR_MS;
/** One every ten seconds; the finest that devices score is 30 s. */
export const MAX_STAGES = MAX_SLEEP_MS / 10_000;
/** The longest mountain races allow 150 hours. */
export const MAX_WORKOUT_MS = 7 * DAY_MS;
/** Devices round the times of a session and of what lies in it to seconds, each on its own. */
export const ROUNDING_MS = 1_000;
/** Stated minutes are rounded ones. */
export const MINUTES_TOLERANCE = 1;

/** Names, models and record ids: twice what any platform writes, and an index entry takes it. */
export const MAX_TEXT_LENGTH = 255;
export const MAX_WORD_LENGTH = 64;

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export function findTextProblem(text: string, maxLength: number): string | null {
  if (text === '' || text.length > maxLength) return `must have 1 to ${maxLength} characters`;
  if (text.includes('\0')) return 'must not contain the character NUL';
  return text.isWellFormed() ? null : 'is not well-formed Unicode';
}

/** Such metrics are the service's: no device sends them. */
export function isComputed({ consolidation: { by } }: Metric): boolean {
  return by === 'derived' || by === 'computed';
}

/** A provider may state it although it is derived: some count active and resting energy in one (gap G-230). */
const STATED_TOTALS: ReadonlySet<string> = new Set(['total_calories']);

/** Whether a provider's value is taken. Uploads state the parts. */
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
  weatherC: { min: -90, max: 60 }, // colder or hotter was never measured on earth
  percent: { min: 0, max: 100 },
  lapM: { min: 0, max: 1_000 }, // pools have up to 100 m, marked laps in open water more
} as const satisfies Record<string, Range>;

/** Which metric's limit of a day bounds a total of a workout. Cycling: no sport goes further by muscle. */
const TOTALS = {
  distanceKm: limitsOf('cycling'),
  activeCalories: limitsOf('active_calories'),
  steps: limitsOf('steps'),
  elevationGainM: limitsOf('elevation_gain'),
  swimmingStrokeCount: limitsOf('swimming_strokes'),
};
export type WorkoutTotal = keyof typeof TOTALS;

/** A total is impossible where it is so for the days that the workout lasted. */
export function limitOfTotal(total: WorkoutTotal, lengthMs: number): Range {
  return { min: 0, max: TOTALS[total].max * Math.ceil(lengthMs / DAY_MS) };
}
