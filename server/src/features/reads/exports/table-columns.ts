// The columns of each resource as a table, for CSV and Parquet.
import type { Records } from './records.ts';

/** `json`: a list or object, as JSON text. */
export type ColumnType = 'text' | 'number' | 'boolean' | 'time' | 'json';
export type Column<Name extends string = string> = readonly [name: Name, type: ColumnType];
type Columns = { readonly [Resource in keyof Records]: readonly Column<keyof Records[Resource] & string>[] };

const ORIGIN = [
  ['provider', 'text'],
  ['device_id', 'text'],
] as const;

export const TABLE_COLUMNS: Columns = {
  daily: [['date', 'text'], ['metric', 'text'], ['value', 'number'], ['unit', 'text'], ...ORIGIN],
  sleep: [
    ['id', 'text'],
    ['date', 'text'],
    ['start', 'time'],
    ['end', 'time'],
    ['is_main_sleep', 'boolean'],
    ...ORIGIN,
    ['asleep_minutes', 'number'],
    ['deep_minutes', 'number'],
    ['light_minutes', 'number'],
    ['rem_minutes', 'number'],
    ['awake_minutes', 'number'],
    ['in_bed_minutes', 'number'],
    ['latency_minutes', 'number'],
    ['wake_after_onset_minutes', 'number'],
    ['awakenings', 'number'],
    ['efficiency_pct', 'number'],
    ['heart_rate', 'number'],
    ['heart_rate_variability', 'number'],
    ['hrv_kind', 'text'],
    ['respiratory_rate', 'number'],
    ['blood_oxygen', 'number'],
    ['body_temperature', 'number'],
    ['skin_temperature', 'number'],
    ['wrist_temperature', 'number'],
    ['stages', 'json'],
  ],
  workouts: [
    ['id', 'text'],
    ['date', 'text'],
    ['start', 'time'],
    ['end', 'time'],
    ['sport_type', 'text'],
    ['name', 'text'],
    ...ORIGIN,
    ['duration_minutes', 'number'],
    ['distance_km', 'number'],
    ['active_calories', 'number'],
    ['steps', 'number'],
    ['elevation_gain_m', 'number'],
    ['avg_heart_rate', 'number'],
    ['max_heart_rate', 'number'],
    ['strain', 'number'],
    ['heart_rate_zone_minutes', 'json'],
  ],
  scores: [
    ['date', 'text'],
    ['type', 'text'],
    ['value', 'number'],
    ['band', 'text'],
    ['algorithm_version', 'number'],
    ['computed_at', 'time'],
    ['coverage', 'number'],
    ['factors', 'json'],
  ],
};

export const SAMPLE_COLUMNS: readonly Column[] = [
  ['metric', 'text'],
  ['start', 'time'],
  ['end', 'time'],
  ['value', 'number'],
  ['unit', 'text'],
  ...ORIGIN,
];
