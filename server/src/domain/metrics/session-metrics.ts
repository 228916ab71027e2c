// Metrics that are told by something else than their own samples: by sleeps, by workouts, or by the samples of another metric.
import { HEART_RATE_PEAK, type MetricId } from './index.ts';

const ids = (text: string): ReadonlySet<MetricId> => new Set(text.trim().split(/\s+/) as MetricId[]);

/** What every sleep tells. */
export const SLEEP_TIMES = ids(`
  asleep time_in_bed time_awake light_sleep deep_sleep REM restorative_sleep sleep_latency wake_after_sleep_onset nap_duration
  sleep_efficiency awakenings sleep_start sleep_end sleep_midpoint`);

/** What a sleep tells where the device measured it. */
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

/** All that `summarizeSleepDay` can tell. */
export const SLEEP_METRICS: ReadonlySet<MetricId> = SLEEP_TIMES.union(
  new Set(SLEEP_VITALS as readonly string[] as MetricId[]),
);

/** All that `summarizeWorkoutDay` can tell. */
export const WORKOUT_METRICS = ids(`
  workout_count exercise workout_calories swimming_strokes
  running cycling swimming walking wheelchair_distance rowing cross_country_skiing downhill_snow_sports
  running_duration cycling_duration swimming_duration walking_duration hiking_duration strength_training_duration mind_body_duration
  heart_rate_zone_1_time heart_rate_zone_2_time heart_rate_zone_3_time heart_rate_zone_4_time heart_rate_zone_5_time`);

/** The lowest and highest of a day are in the samples that its mean is made from. */
export const ALSO_DERIVED_FROM_SAMPLES: ReadonlyMap<MetricId, readonly MetricId[]> = new Map([
  ['heart_rate', ['heart_rate_min', 'heart_rate_max', HEART_RATE_PEAK]],
  ['blood_oxygen', ['blood_oxygen_min']],
] as [MetricId, MetricId[]][]);

/** The metric whose samples tell this one where a device sends none of its own. */
export const DERIVED_FROM_SAMPLES_OF: ReadonlyMap<MetricId, MetricId> = new Map(
  [...ALSO_DERIVED_FROM_SAMPLES].flatMap(([parent, reported]) => reported.map((id) => [id, parent] as const)),
);
