// Documented fields of Strava that could provide a metric of the catalog but are not used, with the reason. Listed in
// docs/providers.md.
import type { NotMappedField } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

export const NOT_MAPPED: readonly NotMappedField[] = [
  {
    resource: 'activities',
    field: 'kilojoules',
    metrics: metricIds('active_calories'),
    reason: 'The work at the pedals, not the energy that the athlete used; `calories` has that.',
  },
  {
    resource: 'activities',
    field: 'suffer_score',
    metrics: metricIds('training_load'),
    reason: 'Strava’s own load (Relative Effort); the service computes the load for all providers.',
  },
  {
    resource: 'activities',
    field: 'average_cadence, cadence of runs',
    metrics: metricIds('steps'),
    reason: 'Counts one leg per minute; steps computed from an average would be an estimate.',
  },
  {
    resource: 'activities',
    field: 'average_watts, watts without a power meter (device_watts false)',
    metrics: metricIds('cycling_power running_power'),
    reason: 'Estimated by Strava from speed, gradient and weight.',
  },
  {
    resource: 'streams',
    field: 'velocity_smooth of virtual rides',
    metrics: metricIds('cycling_speed'),
    reason: 'The speed within the game.',
  },
  {
    resource: 'streams',
    field: 'velocity_smooth of walks',
    metrics: metricIds('walking_speed'),
    reason: 'The speed of a recorded walk; the metric is of everyday walking.',
  },
  {
    resource: 'streams',
    field: 'altitude, grade_smooth',
    metrics: metricIds('elevation_gain'),
    reason: 'The ascent is in the activity; altitudes are stored only with the route.',
  },
  {
    resource: 'activity zones',
    field: 'heart rate and power zones',
    metrics: metricIds(
      'heart_rate_zone_1_time heart_rate_zone_2_time heart_rate_zone_3_time heart_rate_zone_4_time heart_rate_zone_5_time',
    ),
    reason: 'A further request per activity, for subscribers only; the service computes zones from the heart rate.',
  },
  {
    resource: 'athlete',
    field: 'weight, ftp',
    metrics: metricIds('weight functional_threshold_power'),
    reason: 'Entries of the profile without the time of a measurement.',
  },
];
