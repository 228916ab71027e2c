// Fields of Suunto that could provide a metric of the catalog but are not used, with the reason. Listed in docs/providers.md.
import type { NotMappedField } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

const SCORES = 'The service computes scores with one formula for all providers.';

export const NOT_MAPPED: readonly NotMappedField[] = [
  {
    resource: 'recovery',
    field: 'Balance',
    metrics: metricIds('recovery_score'),
    reason: SCORES,
  },
  {
    resource: 'recovery',
    field: 'StressState',
    metrics: metricIds('stress_time_rest stress_time_low stress_time_medium stress_time_high'),
    reason: 'Four states of Suunto’s own; the metrics are minutes on a scale from 0 to 100.',
  },
  { resource: 'sleep', field: 'SleepQualityScore', metrics: metricIds('sleep_score'), reason: SCORES },
  {
    resource: 'sleep',
    field: 'MaxSpo2',
    metrics: metricIds('sleep_blood_oxygen'),
    reason: 'The highest value of the night; the metric is its mean.',
  },
  {
    resource: 'sleep',
    field: 'SleepOnsetLatencyDuration, WakeAfterSleepOnsetDuration, WakeBeforeOffBedDuration',
    metrics: metricIds('sleep_latency wake_after_sleep_onset'),
    reason: 'Both are computed from a hypnogram, which Suunto does not send; time awake is that in bed without sleep.',
  },
  {
    resource: 'activity',
    field: 'EnergyConsumption',
    metrics: metricIds('total_calories'),
    reason: 'Joules of ten minutes; `daily-activity-statistics` has the day.',
  },
  {
    resource: 'activity',
    field: 'HRExt',
    metrics: metricIds('heart_rate_min heart_rate_max'),
    reason: 'The extremes of ten minutes; those of the day come from all samples of its devices.',
  },
  {
    resource: 'workouts',
    field: 'hrdata.max, hrdata.userMaxHR',
    metrics: metricIds('heart_rate_max'),
    reason: 'A setting of the user, not a measurement.',
  },
  {
    resource: 'workouts',
    field: 'tss, extensions.SummaryExtension.peakEpoc',
    metrics: metricIds('training_load'),
    reason: 'Suunto’s own load; the service computes the load for all providers.',
  },
  {
    resource: 'workouts',
    field: 'extensions.IntensityExtension.zones.heartRate',
    metrics: metricIds('heart_rate_zone_1_time heart_rate_zone_5_time'),
    reason: 'Seen only in responses of version 2 of the API.',
  },
  {
    resource: 'workouts',
    field: 'extensions.FitnessExtension.estimatedVo2Max',
    metrics: metricIds('vo2_max'),
    reason: 'Seen only in responses of version 2 of the API.',
  },
  {
    resource: 'workouts',
    field: 'extensions.SummaryExtension.heartRateRecovery',
    metrics: metricIds('heart_rate_recovery'),
    reason: 'Seen only in responses of version 2 of the API.',
  },
  {
    resource: 'workouts',
    field: 'maxSpeed, avgSpeed',
    metrics: metricIds('running_speed cycling_speed'),
    reason: 'The mean of a whole workout; the metrics need its recording.',
  },
];
