// Documented fields of Wahoo that could provide a metric of the catalog but are not used, with the reason. Listed in docs/providers.md.
import type { NotMappedField } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

export const NOT_MAPPED: readonly NotMappedField[] = [
  {
    resource: 'workouts',
    field: 'power_avg, power_bike_avg, power_bike_np_last',
    metrics: metricIds('cycling_power'),
    reason: 'Means of a workout; the metric is a series.',
  },
  {
    resource: 'workouts',
    field: 'cadence_avg',
    metrics: metricIds('cycling_cadence'),
    reason: 'The mean of a workout; the metric is a series.',
  },
  {
    resource: 'workouts',
    field: 'speed_avg',
    metrics: metricIds('cycling_speed running_speed'),
    reason: 'The mean of a workout, which follows from distance and duration.',
  },
  {
    resource: 'workouts',
    field: 'power_bike_tss_last',
    metrics: metricIds('training_load'),
    reason: 'Another formula; the service computes the load for all providers.',
  },
];
