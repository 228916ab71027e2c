// Google's data types: names, scopes and content.
import type { AccountDay, AccountView } from '../account-view.ts';
import type { DataPoint, PointShape } from './data-point.ts';
import { listExercises } from './exercise-points.ts';
import { listBodyFat, listFitnessTests, listGlucose, listHeight, listTemperature, listWeight } from './home-points.ts';
import { listDrinks, listMeals, rollUpDrinks, rollUpMeals } from './log-points.ts';
import {
  listCapacity,
  listDailyBreaths,
  listDailyOxygen,
  listDailyVariability,
  listResting,
  listSleepBreaths,
  listSleepTemperature,
} from './morning-points.ts';
import type { ScopeName } from './oauth.ts';
import { rollUpEffort, rollUpEnergy, rollUpStillness, rollUpZones, sumSeries } from './rollups.ts';
import { listSleeps } from './sleep-points.ts';

export type DataType = {
  /** In paths. */
  readonly type: string;
  /** In JSON. */
  readonly member: string;
  readonly scope: ScopeName;
  readonly shape: PointShape;
  /** Absent: only daily rollups. */
  readonly points?: (view: AccountView, day: AccountDay) => DataPoint[];
  /** For one day; null: no data. Absent: no rollup. */
  readonly rollUp?: (day: AccountDay, view: AccountView) => Readonly<Record<string, unknown>> | null;
  readonly maxRollUpDays?: number;
  /** Whether there are webhooks for it, and whether it grows during the day, in which case they are hourly. */
  readonly webhooks: 'none' | 'each' | 'hourly';
};

const int = (value: number): string => String(Math.round(value));
const LONG_ROLLUP_DAYS = 90;
const SHORT_ROLLUP_DAYS = 14;

function counted(
  type: string,
  member: string,
  { metric, field, write }: { metric: string; field: string; write: (value: number) => unknown },
  webhooks: DataType['webhooks'],
): DataType {
  return {
    type,
    member,
    scope: 'activity',
    shape: 'interval',
    points: (_view, day) => listSeries(day, metric, (value) => ({ [field]: write(value) })),
    rollUp: (day) => sumSeries(day, metric, `${field}Sum`, write),
    maxRollUpDays: LONG_ROLLUP_DAYS,
    webhooks,
  };
}

const toTenth = (value: number) => Math.round(value * 10) / 10;
const toMillimetres = (km: number) => int(km * 1_000_000);
const climbed = (floors: number) => int(floors * 3_000); // mm

type Write = (value: number) => Readonly<Record<string, unknown>>;

function listSeries(day: AccountDay, metric: string, write: Write): DataPoint[] {
  return day.series(metric).map(({ startMs, endMs, value }) => ({
    startMs,
    endMs,
    date: day.date,
    method: 'PASSIVELY_MEASURED',
    fields: write(value),
  }));
}

function ofSeries(metric: string, write: Write): (view: AccountView, day: AccountDay) => DataPoint[] {
  return (_view, day) => listSeries(day, metric, write);
}

const COUNTED: readonly DataType[] = [
  counted('steps', 'steps', { metric: 'steps', field: 'count', write: int }, 'hourly'),
  counted('distance', 'distance', { metric: 'distance', field: 'millimeters', write: toMillimetres }, 'hourly'),
  counted('floors', 'floors', { metric: 'floors_climbed', field: 'count', write: int }, 'hourly'),
  counted('altitude', 'altitude', { metric: 'floors_climbed', field: 'gainMillimeters', write: climbed }, 'hourly'),
  counted(
    'active-energy-burned',
    'activeEnergyBurned',
    { metric: 'active_calories', field: 'kcal', write: toTenth },
    'none',
  ),
  counted(
    'basal-energy-burned',
    'basalEnergyBurned',
    { metric: 'resting_energy', field: 'kcal', write: toTenth },
    'none',
  ),
];

const ROLLED: readonly DataType[] = [
  {
    type: 'active-minutes',
    member: 'activeMinutes',
    scope: 'activity',
    shape: 'interval',
    rollUp: rollUpEffort,
    maxRollUpDays: SHORT_ROLLUP_DAYS,
    webhooks: 'none',
  },
  {
    type: 'sedentary-period',
    member: 'sedentaryPeriod',
    scope: 'activity',
    shape: 'interval',
    rollUp: rollUpStillness,
    maxRollUpDays: LONG_ROLLUP_DAYS,
    webhooks: 'hourly',
  },
  {
    type: 'time-in-heart-rate-zone',
    member: 'timeInHeartRateZone',
    scope: 'activity',
    shape: 'interval',
    rollUp: rollUpZones,
    maxRollUpDays: LONG_ROLLUP_DAYS,
    webhooks: 'hourly',
  },
  {
    type: 'total-calories',
    member: 'totalCalories',
    scope: 'activity',
    shape: 'interval',
    rollUp: rollUpEnergy,
    maxRollUpDays: SHORT_ROLLUP_DAYS,
    webhooks: 'hourly',
  },
];

const LOGS: readonly DataType[] = [
  {
    type: 'nutrition-log',
    member: 'nutritionLog',
    scope: 'nutrition',
    shape: 'log',
    points: listMeals,
    rollUp: rollUpMeals,
    maxRollUpDays: LONG_ROLLUP_DAYS,
    webhooks: 'each',
  },
  {
    type: 'hydration-log',
    member: 'hydrationLog',
    scope: 'nutrition',
    shape: 'log',
    points: listDrinks,
    rollUp: rollUpDrinks,
    maxRollUpDays: LONG_ROLLUP_DAYS,
    webhooks: 'each',
  },
];

type Listed = Required<Pick<DataType, 'points'>> & Pick<DataType, 'type' | 'member' | 'webhooks'>;
const measured = (shape: PointShape, scope: ScopeName, types: readonly Listed[]): DataType[] =>
  types.map((one) => ({ ...one, shape, scope }));

const SAMPLES = measured('sample', 'metrics', [
  {
    type: 'heart-rate',
    member: 'heartRate',
    points: ofSeries('heart_rate', (bpm) => ({ beatsPerMinute: int(bpm) })),
    webhooks: 'hourly',
  },
  {
    type: 'heart-rate-variability',
    member: 'heartRateVariability',
    points: ofSeries('heart_rate_variability', (sdnn) => ({
      rootMeanSquareOfSuccessiveDifferencesMilliseconds: toTenth(0.8 * sdnn),
      standardDeviationMilliseconds: sdnn,
    })),
    webhooks: 'hourly',
  },
  {
    type: 'oxygen-saturation',
    member: 'oxygenSaturation',
    points: ofSeries('blood_oxygen', (percentage) => ({ percentage })),
    webhooks: 'none',
  },
  { type: 'blood-glucose', member: 'bloodGlucose', points: listGlucose, webhooks: 'each' },
  { type: 'core-body-temperature', member: 'coreBodyTemperature', points: listTemperature, webhooks: 'none' },
  { type: 'weight', member: 'weight', points: listWeight, webhooks: 'each' },
  { type: 'body-fat', member: 'bodyFat', points: listBodyFat, webhooks: 'each' },
  { type: 'height', member: 'height', points: listHeight, webhooks: 'each' },
  {
    type: 'respiratory-rate-sleep-summary',
    member: 'respiratoryRateSleepSummary',
    points: listSleepBreaths,
    webhooks: 'each',
  },
]);

const MORNINGS = measured('day', 'metrics', [
  { type: 'daily-resting-heart-rate', member: 'dailyRestingHeartRate', points: listResting, webhooks: 'each' },
  {
    type: 'daily-heart-rate-variability',
    member: 'dailyHeartRateVariability',
    points: listDailyVariability,
    webhooks: 'each',
  },
  { type: 'daily-oxygen-saturation', member: 'dailyOxygenSaturation', points: listDailyOxygen, webhooks: 'each' },
  { type: 'daily-respiratory-rate', member: 'dailyRespiratoryRate', points: listDailyBreaths, webhooks: 'each' },
  {
    type: 'daily-sleep-temperature-derivations',
    member: 'dailySleepTemperatureDerivations',
    points: listSleepTemperature,
    webhooks: 'each',
  },
]);

export const DATA_TYPES: readonly DataType[] = [
  ...COUNTED,
  ...ROLLED,
  ...LOGS,
  ...SAMPLES,
  ...MORNINGS,
  ...measured('day', 'activity', [
    { type: 'daily-vo2-max', member: 'dailyVo2Max', points: listCapacity, webhooks: 'none' },
  ]),
  ...measured('sample', 'activity', [
    { type: 'vo2-max', member: 'vo2Max', points: listFitnessTests, webhooks: 'none' },
    {
      type: 'run-vo2-max',
      member: 'runVo2Max',
      points: ofSeries('vo2_max', (runVo2Max) => ({ runVo2Max })),
      webhooks: 'each',
    },
  ]),
  ...measured('sleep', 'sleep', [{ type: 'sleep', member: 'sleep', points: listSleeps, webhooks: 'each' }]),
  ...measured('exercise', 'activity', [
    { type: 'exercise', member: 'exercise', points: listExercises, webhooks: 'each' },
  ]),
];
