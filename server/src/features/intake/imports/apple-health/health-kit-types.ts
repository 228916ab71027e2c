// HealthKit types and units as the catalog has them. The catalog names the HealthKit type of each metric; one type can feed
// several metrics, of which the first in the catalog that devices send is the measured one.
import { METRICS } from '../../../../domain/metrics/index.ts';
import { isComputed } from '../../../../domain/metrics/record-limits.ts';
import type { SleepStage } from '../../../../domain/records/records.ts';

export const SLEEP_ANALYSIS = 'HKCategoryTypeIdentifierSleepAnalysis';
const CATEGORY = 'HKCategoryTypeIdentifier';

type HealthKitType = {
  readonly metric: string;
  /** `quantity` has a value with a unit, `event` counts one, `duration` is as long as the record. */
  readonly kind: 'quantity' | 'event' | 'duration';
};

const types: ReadonlyMap<string, HealthKitType> = new Map(
  METRICS.filter((metric) => metric.healthKit !== null && !isComputed(metric))
    .toReversed() // the first of a type stays
    .map(({ id, healthKit, kind }) => {
      const type = healthKit as string;
      const how = kind === 'duration' ? 'duration' : 'event';
      return [type, { metric: id, kind: type.startsWith(CATEGORY) ? how : 'quantity' }] as const;
    }),
);

export function findHealthKitType(type: string): HealthKitType | null {
  return type === SLEEP_ANALYSIS ? null : (types.get(type) ?? null);
}

/** A category value that means the event did not happen. */
export const IDLE_STAND_HOUR = 'HKCategoryValueAppleStandHourIdle';

export const SLEEP_VALUES: Readonly<Record<string, SleepStage>> = {
  HKCategoryValueSleepAnalysisInBed: 'in_bed',
  HKCategoryValueSleepAnalysisAsleep: 'asleep',
  HKCategoryValueSleepAnalysisAsleepUnspecified: 'asleep',
  HKCategoryValueSleepAnalysisAsleepCore: 'light',
  HKCategoryValueSleepAnalysisAsleepDeep: 'deep',
  HKCategoryValueSleepAnalysisAsleepREM: 'rem',
  HKCategoryValueSleepAnalysisAwake: 'awake',
};

/** HealthKit's percentages are fractions. Units that are not listed have the same name in the catalog, or none. */
const UNITS: Readonly<Record<string, string>> = {
  '%': 'fraction',
  Cal: 'kcal',
  degC: '°C',
  degF: '°F',
  dBASPL: 'dBA',
  mcg: 'µg',
  mcS: 'µS',
  hr: 'h',
  'km/hr': 'km/h',
  'mi/hr': 'mph',
  'mL/min·kg': 'mL/kg/min',
  'kcal/hr·kg': 'MET',
  'kcal/(kg·hr)': 'MET',
  fl_oz_us: 'fl oz',
  cup_us: 'cup',
};

/** HealthKit counts these without a unit of their own. */
const UNITS_OF_METRIC: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  body_mass_index: { count: 'kg/m²' },
  cycling_cadence: { 'count/min': 'rpm' },
  breathing_disturbances: { count: 'events/h' },
};

const MOLAR_GLUCOSE = /^mmol<[\d.]+>\/L$/;

export function toCatalogUnitName(metric: string, unit: string): string {
  const name = UNITS_OF_METRIC[metric]?.[unit] ?? UNITS[unit];
  if (name !== undefined) return name;
  return MOLAR_GLUCOSE.test(unit) ? 'mmol/L' : unit;
}
