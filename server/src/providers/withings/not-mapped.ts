// Documented fields of Withings that could provide a metric of the catalog but are not used, with the reason. Listed in docs/providers.md.
import type { NotMappedField } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

export const NOT_MAPPED: readonly NotMappedField[] = [
  {
    resource: 'measures',
    field: 'type 12',
    metrics: metricIds('body_temperature'),
    reason: 'The documentation does not say whether it is the temperature of the body, the skin or the room.',
  },
  {
    resource: 'measures',
    field: 'types 130, 139 (AFib result)',
    metrics: metricIds('irregular_rhythm_events atrial_fibrillation_burden'),
    reason: 'The result of one recording: neither an alert nor a share of time.',
  },
  {
    resource: 'measures',
    field: 'types 167, 196, 229 (nerve health, skin conductance)',
    metrics: metricIds('electrodermal_activity'),
    reason: 'Measured through the soles on a scale, for a score; not the skin conductance of a wearable over the day.',
  },
  {
    resource: 'measures',
    field: 'types 168, 169 (water)',
    metrics: metricIds('body_water_mass'),
    reason: 'Parts of type 77, which is used.',
  },
  {
    resource: 'measures',
    field: 'types 173, 174, 175 (segments)',
    metrics: metricIds('lean_body_mass body_fat_mass muscle_mass'),
    reason: 'Values of single limbs and the trunk; the whole body has separate types.',
  },
  {
    resource: 'measures',
    field: 'type 155 (vascular age)',
    metrics: metricIds('metabolic_age'),
    reason: 'A vascular age, not a metabolic age.',
  },
  {
    resource: 'heart',
    field: 'action=list',
    metrics: metricIds('irregular_rhythm_events'),
    reason: 'Electrocardiograms with a classification each; no count of alerts.',
  },
  {
    resource: 'activity',
    field: 'active',
    metrics: metricIds('active_minutes'),
    reason: 'Moderate and intense time only; the metric counts light activity too.',
  },
  {
    resource: 'sleep',
    field: 'apnea_hypopnea_index, breathing_disturbances_intensity',
    metrics: metricIds('breathing_disturbances'),
    reason: 'A clinical index and a scale without a unit; the metric counts disturbances in an hour.',
  },
  {
    resource: 'sleep',
    field: 'sleep_latency, waso',
    metrics: metricIds('sleep_latency wake_after_sleep_onset'),
    reason: 'Computed from the stages of the same night.',
  },
  {
    resource: 'sleep',
    field: 'sleep_efficiency',
    metrics: metricIds('sleep_efficiency'),
    reason: 'Computed from minutes asleep and in bed, in the same way for all providers.',
  },
  {
    resource: 'sleep',
    field: 'sleep_score',
    metrics: metricIds('sleep_score'),
    reason: 'The service computes scores with one formula for all providers.',
  },
  {
    resource: 'sleep',
    field: 'wakeupcount, out_of_bed_count',
    metrics: metricIds('awakenings'),
    reason: 'Counted from the stages of the same night.',
  },
  {
    resource: 'sleep',
    field: 'night_events',
    metrics: metricIds('sleep_latency time_in_bed awakenings'),
    reason: 'The summary has the totals of the same events.',
  },
  {
    resource: 'sleep',
    field: 'hr_max',
    metrics: metricIds('heart_rate_max'),
    reason: 'Of the night; `activity` has the highest of the day.',
  },
  {
    resource: 'notify',
    field: 'appli 58 (glucose)',
    metrics: metricIds('blood_glucose'),
    reason: 'A webhook type without a documented measurement.',
  },
  {
    resource: 'intraday',
    field: 'stroke',
    metrics: metricIds('swimming_strokes'),
    reason: '`workouts` has the strokes of the same swim.',
  },
  {
    resource: 'workouts',
    field: 'elevation',
    metrics: metricIds('floors_climbed'),
    reason: '`activity` counts the same floors.',
  },
  {
    resource: 'workouts',
    field: 'spo2_average',
    metrics: metricIds('blood_oxygen'),
    reason: '`intraday` has the samples.',
  },
  {
    resource: 'workouts',
    field: 'hr_zone_0',
    metrics: metricIds('heart_rate_zone_1_time'),
    reason: 'Time below the first zone.',
  },
  {
    resource: 'sleep_stages',
    field: 'snoring',
    metrics: metricIds('snoring_duration'),
    reason: 'The summary of the same night has the total.',
  },
  {
    resource: 'goals',
    field: 'sleep',
    metrics: metricIds('sleep_need'),
    reason: 'A goal; the service computes the need.',
  },
];
