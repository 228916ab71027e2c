// The tables of a Health Connect export whose rows are samples: column, metric and the unit in which Android stores it.
export type SampleTable = {
  readonly table: string;
  readonly column: string;
  readonly metric: string;
  readonly unit: string;
  /** With start and end; otherwise a moment. */
  readonly isInterval: boolean;
};

const interval = (table: string, column: string, metric: string, unit: string): SampleTable => ({
  ...{ table: `${table}_record_table`, column, metric, unit, isInterval: true },
});
const moment = (table: string, column: string, metric: string, unit: string): SampleTable => ({
  ...{ table: `${table}_record_table`, column, metric, unit, isInterval: false },
});

export const SAMPLE_TABLES: readonly SampleTable[] = [
  interval('steps', 'count', 'steps', 'count'),
  interval('distance', 'distance', 'distance', 'm'),
  interval('floors_climbed', 'floors', 'floors_climbed', 'count'),
  interval('elevation_gained', 'elevation', 'elevation_gain', 'm'),
  interval('wheelchair_pushes', 'count', 'wheelchair_pushes', 'count'),
  interval('active_calories_burned', 'energy', 'active_calories', 'cal'),
  interval('hydration', 'volume', 'water', 'L'),
  moment('resting_heart_rate', 'beats_per_minute', 'resting_heart_rate', 'bpm'),
  moment('heart_rate_variability_rmssd', 'heart_rate_variability_millis', 'heart_rate_variability_rmssd', 'ms'),
  moment('oxygen_saturation', 'percentage', 'blood_oxygen', '%'),
  moment('respiratory_rate', 'rate', 'respiratory_rate', 'breaths/min'),
  moment('blood_pressure', 'systolic', 'blood_pressure_systolic', 'mmHg'),
  moment('blood_pressure', 'diastolic', 'blood_pressure_diastolic', 'mmHg'),
  moment('blood_glucose', 'level', 'blood_glucose', 'mmol/L'),
  moment('body_temperature', 'temperature', 'body_temperature', '°C'),
  moment('vo2_max', 'vo2_milliliters_per_minute_kilogram', 'vo2_max', 'mL/kg/min'),
  moment('weight', 'weight', 'weight', 'g'),
  moment('height', 'height', 'height', 'm'),
  moment('body_fat', 'percentage', 'body_fat_percentage', '%'),
  moment('lean_body_mass', 'mass', 'lean_body_mass', 'g'),
  moment('bone_mass', 'mass', 'bone_mass', 'g'),
];
