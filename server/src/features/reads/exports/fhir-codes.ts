// How metrics are coded in FHIR: LOINC where a code means the same, otherwise our own code system; units in UCUM.
import type { Category } from '../../../domain/metrics/categories.ts';
import type { Metric } from '../../../domain/metrics/index.ts';

export const LOINC = 'http://loinc.org';
const UCUM = 'http://unitsofmeasure.org';
const OBSERVATION_CATEGORY = 'http://terminology.hl7.org/CodeSystem/observation-category';
/** Metric ids of the catalog, and the names that docs/exports.md lists. */
export const OWN_SYSTEM = 'urn:tributary:code';

/** LOINC codes have no `display`: validators reject other names than LOINC's own. */
export type Coding = { readonly system: string; readonly code: string; readonly display?: string };

/** LOINC codes of a day whose definition names 24 hours, and the code for samples. Null: LOINC has none that fits. */
const CODE_OF_SAMPLES: Readonly<Record<string, string | null>> = {
  steps: '55423-8',
  distance: '55430-3',
  total_calories: '41981-2',
  walking_speed: null,
  moderate_activity: null,
  vigorous_activity: null,
};

/** The FHIR profile for oxygen saturation requires this code beside the one for pulse oximetry. */
const OXYGEN_PROFILE = { pulseOximetry: '59408-5', required: '2708-6' };

export function codingsOf(metric: Metric, of: 'day' | 'sample'): Coding[] {
  const override = of === 'sample' ? CODE_OF_SAMPLES[metric.id] : undefined;
  const code = override === undefined ? metric.loinc : override;
  const own = { system: OWN_SYSTEM, code: metric.id, display: metric.displayName };
  if (code === null) return [own];
  const codes = code === OXYGEN_PROFILE.pulseOximetry ? [OXYGEN_PROFILE.required, code] : [code];
  return [...codes.map((one) => ({ system: LOINC, code: one })), own];
}

export const UCUM_OF_UNIT: Readonly<Record<string, string>> = {
  count: '{count}',
  km: 'km',
  m: 'm',
  cm: 'cm',
  min: 'min',
  'km/h': 'km/h',
  '%': '%',
  W: 'W',
  rpm: '/min',
  'mL/kg/min': 'mL/kg/min',
  AU: '{AU}',
  kcal: 'kcal',
  'kcal/day': 'kcal/d',
  MET: '[MET]',
  'MET*min': '[MET].min',
  bpm: '/min',
  ms: 'ms',
  '1/s²': '/s2',
  'breaths/min': '/min',
  L: 'L',
  'L/min': 'L/min',
  mmHg: 'mm[Hg]',
  'm/s': 'm/s',
  '°C': 'Cel',
  'mmol/L': 'mmol/L',
  IU: '[IU]',
  µS: 'uS',
  dBA: 'dB[SPL]',
  min_of_day: 'min',
  index: '{index}',
  'events/h': '/h',
  kg: 'kg',
  'kg/m²': 'kg/m2',
  rating: '{rating}',
  years: 'a',
  g: 'g',
  mg: 'mg',
  µg: 'ug',
  mL: 'mL',
  score: '{score}',
};

export function quantityOf(value: number, unit: string) {
  return { value, unit, system: UCUM, code: UCUM_OF_UNIT[unit] ?? '1' };
}

const CATEGORY: Readonly<Record<Category, 'vital-signs' | 'activity'>> = {
  activity: 'activity',
  energy: 'activity',
  vitals: 'vital-signs',
  sleep: 'activity',
  body_composition: 'vital-signs',
  nutrition: 'activity',
  scores: 'activity',
};

export function categoryOf({ category }: Pick<Metric, 'category'>): object[] {
  return [{ coding: [{ system: OBSERVATION_CATEGORY, code: CATEGORY[category] }] }];
}
