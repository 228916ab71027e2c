// Documented fields of WHOOP that could provide a metric of the catalog but are not used, with the reason. Listed in docs/providers.md.
import type { NotMappedField } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

export const NOT_MAPPED: readonly NotMappedField[] = [
  {
    resource: 'cycle',
    field: 'score.strain',
    metrics: metricIds('strain_score'),
    reason: 'The service computes scores with one formula for all providers.',
  },
  {
    resource: 'recovery',
    field: 'score.recovery_score',
    metrics: metricIds('recovery_score'),
    reason: 'The service computes scores with one formula for all providers.',
  },
  {
    resource: 'sleep',
    field: 'score.sleep_performance_percentage',
    metrics: metricIds('sleep_score'),
    reason: 'The service computes scores with one formula for all providers.',
  },
  {
    resource: 'sleep',
    field: 'score.sleep_needed',
    metrics: metricIds('sleep_need sleep_debt'),
    reason: 'The service computes it from the nights of all devices.',
  },
  {
    resource: 'sleep',
    field: 'score.sleep_consistency_percentage',
    metrics: metricIds('sleep_regularity_index'),
    reason: 'WHOOP does not publish its formula; the service computes the index.',
  },
  {
    resource: 'sleep',
    field: 'score.sleep_efficiency_percentage',
    metrics: metricIds('sleep_efficiency'),
    reason: 'Computed from minutes asleep and in bed, in the same way for all providers.',
  },
  {
    resource: 'body_measurement',
    field: 'max_heart_rate',
    metrics: metricIds('heart_rate_max'),
    reason: 'A setting of the profile, not the highest heart rate of a day.',
  },
  {
    resource: 'workout',
    field: 'score.strain',
    metrics: metricIds('training_load'),
    reason: 'WHOOP does not publish its formula; the service computes the load.',
  },
  {
    resource: 'workout',
    field: 'score.zone_durations.zone_zero_milli',
    metrics: metricIds('heart_rate_zone_1_time'),
    reason: 'Time below the first zone.',
  },
];
