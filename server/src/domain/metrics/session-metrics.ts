// Metrics derived from something other than their own samples: from sleeps, workouts, or the samples of another metric.
import {
  BLOOD_GLUCOSE,
  GLUCOSE_SUMMARIES,
  TIME_ABOVE_RANGE,
  TIME_BELOW_RANGE,
  TIME_IN_RANGE,
} from './glucose-metrics.ts';
import { HEART_RATE_PEAK, type MetricId } from './index.ts';

const ids = (text: string): ReadonlySet<MetricId> => new Set(text.trim().split(/\s+/) as MetricId[]);

/** Metrics that every sleep provides. */
export const SLEEP_TIMES = ids(`
  asleep time_in_bed time_awake light_sleep deep_sleep REM restorative_sleep sleep_latency wake_after_sleep_onset nap_duration
  sleep_efficiency awakenings sleep_start sleep_end sleep_midpoint`);

/** Metrics that a sleep provides if the device measured them. */
export const SLEEP_VITALS = [
  'sleep_heart_rate',
  'sleep_heart_rate_variability',
  'sleep_respiratory_rate',
  'sleep_blood_oxygen',
  'sleep_body_temperature',
  'sleep_skin_temperature',
  'sleep_wrist_temperature',
] as const;
export type SleepVital = (typeof SLEEP_VITALS)[number];

/** All metrics that `summarizeSleepDay` can provide. */
export const SLEEP_METRICS: ReadonlySet<MetricId> = SLEEP_TIMES.union(
  new Set(SLEEP_VITALS as readonly string[] as MetricId[]),
);

export const NAPS: MetricId = 'nap_duration' as MetricId;

/** All metrics that `summarizeWorkoutDay` can provide. */
export const WORKOUT_METRICS = ids(`
  workout_count exercise workout_calories swimming_strokes
  running cycling swimming walking wheelchair_distance rowing cross_country_skiing downhill_snow_sports
  running_duration cycling_duration swimming_duration walking_duration hiking_duration strength_training_duration mind_body_duration
  heart_rate_zone_1_time heart_rate_zone_2_time heart_rate_zone_3_time heart_rate_zone_4_time heart_rate_zone_5_time`);

/**
 * The lowest and highest value of a day come from the same samples as its mean. Readings below or above what a glucose
 * sensor can measure (glucose-day.ts) change all shares.
 */
export const ALSO_DERIVED_FROM_SAMPLES: ReadonlyMap<MetricId, readonly MetricId[]> = new Map([
  ['heart_rate', ['heart_rate_min', 'heart_rate_max', HEART_RATE_PEAK]],
  ['blood_oxygen', ['blood_oxygen_min']],
  [TIME_BELOW_RANGE, [TIME_IN_RANGE, TIME_ABOVE_RANGE]],
  [TIME_ABOVE_RANGE, [TIME_IN_RANGE, TIME_BELOW_RANGE]],
  [BLOOD_GLUCOSE, GLUCOSE_SUMMARIES],
] as [MetricId, readonly MetricId[]][]);

/** The metric whose samples provide this one if a device sends none of its own; for shares of glucose, the readings. */
export const DERIVED_FROM_SAMPLES_OF: ReadonlyMap<MetricId, MetricId> = new Map(
  [...ALSO_DERIVED_FROM_SAMPLES].flatMap(([parent, reported]) => reported.map((id) => [id, parent] as const)),
);
