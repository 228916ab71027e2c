// Documented fields of Withings that a metric of the catalog could be read from, and why they are not. Shown in docs/providers.md.
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
    reason: 'Measured by the soles on a scale for a score; not the skin conductance of a wearable over the day.',
  },
  {
    resource: 'heart',
    field: 'action=list',
    metrics: metricIds('irregular_rhythm_events'),
    reason: 'Electrocardiograms with a classification each; no count of alerts.',
  },
  {
    resource: 'activity',
    field: 'hr_zone_0, hr_zone_1, hr_zone_2, hr_zone_3',
    metrics: metricIds(`heart_rate_zone_1_time heart_rate_zone_2_time heart_rate_zone_3_time heart_rate_zone_4_time
      heart_rate_zone_5_time`),
    reason: 'Of the whole day; zone times here are of workouts, whose own zones are read.',
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
    reason: 'Computed from minutes asleep and in bed, for all providers alike.',
  },
  {
    resource: 'sleep',
    field: 'sleep_score',
    metrics: metricIds('sleep_score'),
    reason: 'Scores are computed here, by one formula for all providers.',
  },
  {
    resource: 'notify',
    field: 'appli 58 (glucose)',
    metrics: metricIds('blood_glucose'),
    reason: 'A notification type without a documented measure.',
  },
];
