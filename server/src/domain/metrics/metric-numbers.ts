// The number of each metric in stored rows: its position in this list, from 1. Append only: a number never changes its
// meaning, and the number of a removed metric is not reused.
import type { Branded } from '../branded.ts';
import type { MetricId } from './metric.ts';

export type MetricNumber = Branded<number, 'MetricNumber'>;

const NUMBERED = `
  steps distance floors_climbed elevation_gain wheelchair_pushes stand_hours running cycling swimming walking
  wheelchair_distance rowing cross_country_skiing downhill_snow_sports swimming_strokes exercise
  running_duration cycling_duration swimming_duration walking_duration hiking_duration
  strength_training_duration mind_body_duration workout_count active_minutes light_activity moderate_activity
  vigorous_activity intensity_minutes sedentary_time stand_time heart_rate_zone_1_time heart_rate_zone_2_time
  heart_rate_zone_3_time heart_rate_zone_4_time heart_rate_zone_5_time walking_speed walking_step_length
  walking_asymmetry walking_double_support running_speed running_power running_stride_length cycling_speed
  cycling_power cycling_cadence functional_threshold_power vo2_max training_load time_in_daylight mindfulness
  active_calories resting_energy total_calories workout_calories basal_metabolic_rate average_met met_minutes
  energy_balance heart_rate heart_rate_min heart_rate_max resting_heart_rate waking_heart_rate
  walking_heart_rate heart_rate_recovery heart_rate_variability heart_rate_variability_rmssd
  waking_heart_rate_variability stress_index atrial_fibrillation_burden irregular_rhythm_events
  high_heart_rate_events low_heart_rate_events blood_oxygen blood_oxygen_min respiratory_rate
  forced_vital_capacity forced_expiratory_volume_1 peak_expiratory_flow blood_pressure_systolic
  blood_pressure_diastolic pulse_wave_velocity body_temperature basal_body_temperature skin_temperature
  skin_temperature_deviation blood_glucose glucose_time_in_range glucose_time_below_range
  glucose_time_above_range glucose_variability insulin_delivery electrodermal_activity stress_time_rest
  stress_time_low stress_time_medium stress_time_high environmental_audio_exposure headphone_audio_exposure
  asleep time_in_bed time_awake light_sleep deep_sleep REM restorative_sleep sleep_latency
  wake_after_sleep_onset nap_duration sleep_efficiency awakenings sleep_need sleep_debt sleep_start sleep_end
  sleep_midpoint sleep_midpoint_variability sleep_regularity_index sleep_heart_rate sleep_heart_rate_min
  sleep_heart_rate_variability sleep_respiratory_rate sleep_blood_oxygen sleep_heart_rate_dip
  sleep_body_temperature sleep_skin_temperature sleep_wrist_temperature sleep_temperature_deviation
  breathing_disturbances snoring_duration weight body_mass_index body_fat_percentage body_fat_mass
  lean_body_mass muscle_mass bone_mass body_water_mass body_water_percentage visceral_fat_rating
  metabolic_age height waist_circumference dietary_energy protein carbohydrates sugar fiber fat saturated_fat
  monounsaturated_fat polyunsaturated_fat trans_fat cholesterol sodium potassium calcium iron magnesium
  phosphorus zinc vitamin_a vitamin_b6 vitamin_b12 vitamin_c vitamin_d vitamin_e folate water caffeine
  alcoholic_drinks recovery_score strain_score sleep_score stress_score nutrition_score energy_reserve_score
  heart_rate_peak
`
  .trim()
  .split(/\s+/) as MetricId[];

const numbers: ReadonlyMap<MetricId, MetricNumber> = new Map(
  NUMBERED.map((id, index) => [id, (index + 1) as MetricNumber]),
);

export function metricNumberOf(id: MetricId): MetricNumber {
  const number = numbers.get(id);
  if (number === undefined) throw new Error(`the metric ${id} has no number`);
  return number;
}

/** Null if a newer version wrote the number. */
export function metricIdOf(number: number): MetricId | null {
  return NUMBERED[number - 1] ?? null;
}
