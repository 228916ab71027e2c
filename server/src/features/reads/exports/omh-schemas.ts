// How metrics are written as Open mHealth data points. Every metric of the catalog is in one of the two lists (omh-schemas.test.ts).

type OmhSchema = {
  readonly namespace: 'omh';
  readonly name: string;
  readonly version: string;
  /** The field of the body with value and unit. */
  readonly field: string;
  /** In the words of the schema. */
  readonly unit: string;
  /** The schema requires an interval, not an instant. */
  readonly needsInterval?: true;
  /** Fixed fields of the body. */
  readonly body?: Readonly<Record<string, string>>;
};

const heartRate = (body: Readonly<Record<string, string>> = {}): OmhSchema => ({
  namespace: 'omh',
  name: 'heart-rate',
  version: '2.0',
  field: 'heart_rate',
  unit: 'beats/min',
  body,
});
const schema = (name: string, version: string, unit: string, more: Partial<OmhSchema> = {}): OmhSchema => ({
  namespace: 'omh',
  name,
  version,
  field: name.replaceAll('-', '_'),
  unit,
  ...more,
});
const PULSE_OXIMETRY = { system: 'peripheral capillary', measurement_method: 'pulse oximetry' };

/** Units of these metrics equal the unit of the schema; only the words differ. */
export const OMH_SCHEMAS: Readonly<Record<string, OmhSchema>> = {
  steps: schema('step-count', '3.0', 'steps', { needsInterval: true }),
  total_calories: schema('calories-burned', '2.0', 'kcal', { field: 'kcal_burned', needsInterval: true }),
  heart_rate: heartRate(),
  heart_rate_min: heartRate({ descriptive_statistic: 'minimum' }),
  heart_rate_max: heartRate({ descriptive_statistic: 'maximum' }),
  resting_heart_rate: heartRate({ temporal_relationship_to_physical_activity: 'at rest' }),
  sleep_heart_rate: heartRate({ temporal_relationship_to_sleep: 'during sleep' }),
  blood_oxygen: schema('oxygen-saturation', '2.0', '%', { body: PULSE_OXIMETRY }),
  blood_oxygen_min: schema('oxygen-saturation', '2.0', '%', {
    body: { ...PULSE_OXIMETRY, descriptive_statistic: 'minimum' },
  }),
  respiratory_rate: schema('respiratory-rate', '2.0', 'breaths/min'),
  body_temperature: schema('body-temperature', '4.0', 'C'),
  blood_glucose: schema('blood-glucose', '4.0', 'mmol/L'),
  weight: schema('body-weight', '3.0', 'kg'),
  height: schema('body-height', '2.0', 'cm'),
  body_mass_index: schema('body-mass-index', '3.0', 'kg/m^2'),
  body_fat_percentage: schema('body-fat-percentage', '2.0', '%'),
};

/** Metrics without a schema of their own: by id, else by category. They are written with our own schema. */
export const WITHOUT_OMH_SCHEMA: Readonly<Record<string, string>> = {
  blood_pressure_systolic: 'blood-pressure requires both pressures of one measurement',
  blood_pressure_diastolic: 'blood-pressure requires both pressures of one measurement',
  active_calories: 'calories-burned does not separate active energy',
  asleep: 'sleep-episode describes sleeps; this is the total of a day',
  activity: 'no schema for a single measure of movement other than steps',
  energy: 'no schema besides calories-burned',
  vitals: 'no schema for this vital sign or for this statistic of it',
  sleep: 'sleep-episode describes sleeps; this is a value of a day',
  body_composition: 'no schema for this measurement',
  nutrition: 'no schemas for food',
  scores: 'scores are ours',
};

export const OWN_SCHEMA = { namespace: 'tributary', name: 'metric', version: '1.0' } as const;
export const SCORE_SCHEMA = { namespace: 'tributary', name: 'score', version: '1.0' } as const;
export const SLEEP_SCHEMA = { namespace: 'ieee', name: 'sleep-episode', version: '1.0' } as const;
export const ACTIVITY_SCHEMA = { namespace: 'ieee', name: 'physical-activity', version: '1.0' } as const;
