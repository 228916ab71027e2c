// What we request from Google, type by type: points reconciled over all devices of a user, and days added up by Google.
// https://developers.google.com/health/data-types
import { mapExercise } from './map-exercise.ts';
import { mapMeals, mapNutritionDays } from './map-nutrition.ts';
import {
  type Field,
  type Mapping,
  mapActiveMinutes,
  mapDaily,
  mapIntervals,
  mapRollup,
  mapSamples,
  mapSedentary,
  mapSleepTemperature,
  mapZoneTimes,
} from './map-points.ts';
import { mapSleep } from './map-sleep.ts';

export type Plan = {
  /** Google's name; webhooks use it. */
  readonly type: string;
  readonly as: 'intervals' | 'samples' | 'listed_samples' | 'days' | 'rollup' | 'logs' | 'sleep' | 'exercise';
  readonly scope: keyof typeof SCOPES;
  readonly mapping: Mapping;
  readonly windowDays: number;
  readonly historyDays?: number;
};

const SCOPE = 'https://www.googleapis.com/auth/googlehealth.';
export const SCOPES = {
  activity: `${SCOPE}activity_and_fitness.readonly`,
  metrics: `${SCOPE}health_metrics_and_measurements.readonly`,
  sleep: `${SCOPE}sleep.readonly`,
  nutrition: `${SCOPE}nutrition.readonly`,
} as const;

/** A point per minute or more: a window is a few pages, and ten years would be thousands. */
const dense = { windowDays: 7, historyDays: 365 };
const sparse = { windowDays: 90 };
/** The limit for rollups of active minutes and total energy; others allow 90. */
const shortRollup = { windowDays: 14 };
/** 25 to a page. */
const sessions = { windowDays: 30 };

export const PLANS: readonly Plan[] = [
  ...rollups({
    steps: ['steps', ['countSum', 'steps', 'count']],
    distance: ['distance', ['millimetersSum', 'distance', 'm', 1_000]],
    floors: ['floors', ['countSum', 'floors_climbed', 'count']],
    altitude: ['altitude', ['gainMillimetersSum', 'elevation_gain', 'm', 1_000]],
    'active-energy-burned': ['activeEnergyBurned', ['kcalSum', 'active_calories', 'kcal']],
  }),
  { type: 'active-minutes', as: 'rollup', scope: 'activity', mapping: mapActiveMinutes, ...shortRollup },
  { type: 'sedentary-period', as: 'rollup', scope: 'activity', mapping: mapSedentary, ...sparse },
  { type: 'time-in-heart-rate-zone', as: 'rollup', scope: 'activity', mapping: mapZoneTimes, ...sparse },
  {
    type: 'total-calories', // it has no points
    as: 'rollup',
    scope: 'activity',
    mapping: mapRollup('totalCalories', [['kcalSum', 'total_calories', 'kcal']]),
    ...shortRollup,
  },
  ...intervals({
    steps: ['steps', ['count', 'steps', 'count']],
    distance: ['distance', ['millimeters', 'distance', 'm', 1_000]],
    'active-energy-burned': ['activeEnergyBurned', ['kcal', 'active_calories', 'kcal']],
    'basal-energy-burned': ['basalEnergyBurned', ['kcal', 'resting_energy', 'kcal']],
  }),
  ...samples(dense, {
    'heart-rate': ['heartRate', ['beatsPerMinute', 'heart_rate', 'bpm']],
    'heart-rate-variability': [
      'heartRateVariability',
      ['rootMeanSquareOfSuccessiveDifferencesMilliseconds', 'heart_rate_variability_rmssd', 'ms'],
      ['standardDeviationMilliseconds', 'heart_rate_variability', 'ms'], // SDNN
    ],
    'oxygen-saturation': ['oxygenSaturation', ['percentage', 'blood_oxygen', '%']],
  }),
  ...listedSamples(dense, {
    'blood-glucose': ['bloodGlucose', ['bloodGlucoseMilligramsPerDeciliter', 'blood_glucose', 'mg/dL']],
  }),
  ...listedSamples(sparse, {
    'core-body-temperature': ['coreBodyTemperature', ['temperatureCelsius', 'body_temperature', '°C']],
    weight: ['weight', ['weightGrams', 'weight', 'g']],
    'body-fat': ['bodyFat', ['percentage', 'body_fat_percentage', '%']],
    height: ['height', ['heightMillimeters', 'height', 'cm', 10]],
  }),
  ...samples(sparse, {
    // Once per sleep; the values by stage belong to no metric.
    'respiratory-rate-sleep-summary': [
      'respiratoryRateSleepSummary',
      ['fullSleepStats.breathsPerMinute', 'respiratory_rate', 'breaths/min'],
    ],
  }),
  ...days('metrics', {
    'daily-resting-heart-rate': ['dailyRestingHeartRate', ['beatsPerMinute', 'resting_heart_rate', 'bpm']],
    'daily-heart-rate-variability': [
      'dailyHeartRateVariability',
      ['averageHeartRateVariabilityMilliseconds', 'sleep_heart_rate_variability', 'ms'], // RMSSD, as measured in sleep
    ],
    'daily-oxygen-saturation': [
      'dailyOxygenSaturation', // of sleep; its bounds are confidence bounds, not the lowest value
      ['averagePercentage', 'sleep_blood_oxygen', '%'],
    ],
    'daily-respiratory-rate': [
      'dailyRespiratoryRate', // of the main sleep
      ['breathsPerMinute', 'sleep_respiratory_rate', 'breaths/min'],
    ],
  }),
  {
    type: 'daily-sleep-temperature-derivations',
    as: 'days',
    scope: 'metrics',
    mapping: mapSleepTemperature,
    ...sparse,
  },
  ...days('activity', { 'daily-vo2-max': ['dailyVo2Max', ['vo2Max', 'vo2_max', 'mL/kg/min']] }),
  {
    type: 'vo2-max', // of a test, or entered by hand
    as: 'listed_samples',
    scope: 'activity',
    mapping: mapSamples('vo2Max', [['vo2Max', 'vo2_max', 'mL/kg/min']]),
    ...sparse,
  },
  {
    type: 'run-vo2-max', // of a run
    as: 'samples',
    scope: 'activity',
    mapping: mapSamples('runVo2Max', [['runVo2Max', 'vo2_max', 'mL/kg/min']], 1),
    ...sparse,
  },
  { type: 'nutrition-log', as: 'rollup', scope: 'nutrition', mapping: mapNutritionDays, ...sparse },
  { type: 'nutrition-log', as: 'logs', scope: 'nutrition', mapping: mapMeals, ...sparse },
  {
    type: 'hydration-log',
    as: 'rollup',
    scope: 'nutrition',
    mapping: mapRollup('hydrationLog', [['amountConsumed.millilitersSum', 'water', 'mL']]),
    ...sparse,
  },
  {
    type: 'hydration-log',
    as: 'logs',
    scope: 'nutrition',
    mapping: mapIntervals('hydrationLog', [['amountConsumed.milliliters', 'water', 'mL']]),
    ...sparse,
  },
  { type: 'sleep', as: 'sleep', scope: 'sleep', mapping: { of: 'sleep', map: mapSleep }, ...sessions },
  { type: 'exercise', as: 'exercise', scope: 'activity', mapping: { of: 'workouts', map: mapExercise }, ...sessions },
];

/** Daily totals share a type with their points. */
export function planNameOf({ type, as }: Plan): string {
  return as === 'rollup' ? `${type}-rollup` : type;
}

/** By type: the member of a point, and its fields as Google's name, our metric, unit and divisor. */
type Types = Readonly<Record<string, readonly [member: string, ...fields: Field[]]>>;

function toPlans(types: Types, map: typeof mapDaily, rest: Omit<Plan, 'type' | 'mapping'>): Plan[] {
  return Object.entries(types).map(([type, [member, ...fields]]) => ({ type, mapping: map(member, fields), ...rest }));
}

function rollups(types: Types): Plan[] {
  return toPlans(types, mapRollup, { as: 'rollup', scope: 'activity', ...sparse });
}

function intervals(types: Types): Plan[] {
  return toPlans(types, mapIntervals, { as: 'intervals', scope: 'activity', ...dense });
}

function samples(size: Pick<Plan, 'windowDays' | 'historyDays'>, types: Types): Plan[] {
  return toPlans(types, mapSamples, { as: 'samples', scope: 'metrics', ...size });
}

/** Manual measurements: only lists show which they are. The same one from two sources has one time, so nothing counts twice. */
function listedSamples(size: Pick<Plan, 'windowDays' | 'historyDays'>, types: Types): Plan[] {
  return toPlans(types, mapSamples, { as: 'listed_samples', scope: 'metrics', ...size });
}

function days(scope: Plan['scope'], types: Types): Plan[] {
  return toPlans(types, mapDaily, { as: 'days', scope, ...sparse });
}
