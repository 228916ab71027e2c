// Documented types of Ultrahuman that could provide a metric of the catalog but are not used, with the reason. Listed in docs/providers.md.
import type { NotMappedField } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

const ONE_FORMULA = 'The service computes scores with one formula for all providers.';

export const NOT_MAPPED: readonly NotMappedField[] = [
  {
    resource: 'metrics',
    field: 'hrv, avg_sleep_hrv, Sleep.hrv_graph',
    metrics: metricIds('heart_rate_variability heart_rate_variability_rmssd sleep_heart_rate_variability'),
    reason:
      'Ultrahuman does not say which kind of variability it is. Enable `hrv_rmssd` or `hrv_sdnn` to store it as that kind.',
  },
  { resource: 'metrics', field: 'recovery_index', metrics: metricIds('recovery_score'), reason: ONE_FORMULA },
  { resource: 'metrics', field: 'Sleep.sleep_score', metrics: metricIds('sleep_score'), reason: ONE_FORMULA },
  { resource: 'metrics', field: 'movement_index', metrics: metricIds('strain_score'), reason: ONE_FORMULA },
  {
    resource: 'metrics',
    field: 'Sleep.sleep_efficiency',
    metrics: metricIds('sleep_efficiency'),
    reason: 'Computed from minutes asleep and in bed, in the same way for all providers.',
  },
  {
    resource: 'metrics',
    field: 'temperature_deviation',
    metrics: metricIds('sleep_temperature_deviation'),
    reason: 'Neither its unit nor its baseline is documented.',
  },
  {
    resource: 'metrics',
    field: 'average_body_temperature',
    metrics: metricIds('body_temperature'),
    reason: 'The skin temperature of the night under another name; `temp` and `Sleep.temp_graph` have it.',
  },
  {
    resource: 'metrics',
    field: 'Sleep.respiratory_graph',
    metrics: metricIds('sleep_respiratory_rate'),
    reason: 'Documented without a form, and empty in all known responses.',
  },
  {
    resource: 'metrics',
    field: 'Sleep.toss_turn',
    metrics: metricIds('awakenings'),
    reason: 'Movements, most of them without waking up.',
  },
];
