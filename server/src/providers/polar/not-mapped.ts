// Documented fields of Polar that could provide a metric of the catalog but are not used, with the reason. Listed in docs/providers.md.
import type { NotMappedField } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

export const NOT_MAPPED: readonly NotMappedField[] = [
  {
    resource: 'cardio-load',
    field: 'cardio_load',
    metrics: metricIds('training_load'),
    reason: 'Polar’s own load; the service computes the load for all providers.',
  },
  {
    resource: 'exercises',
    field: 'training_load, training-load-pro',
    metrics: metricIds('training_load'),
    reason: 'Polar’s own load; the service computes the load for all providers.',
  },
  {
    resource: 'exercises',
    field: 'running-index',
    metrics: metricIds('vo2_max'),
    reason: 'An index of running that Polar only compares with VO2 max.',
  },
  {
    resource: 'exercises',
    field: 'samples type 11 (RR)',
    metrics: metricIds('heart_rate_variability stress_index'),
    reason: 'Intervals during exercise; both metrics are measured at rest.',
  },
  {
    resource: 'exercises',
    field: 'samples type 1 (speed) of walks',
    metrics: metricIds('walking_speed'),
    reason: 'The speed of a recorded walk; the metric is of everyday walking.',
  },
  {
    resource: 'exercises',
    field: 'samples type 3 (altitude)',
    metrics: metricIds('elevation_gain'),
    reason: 'Altitudes only; the ascent depends on how noise is filtered.',
  },
  {
    resource: 'nightly-recharge',
    field: 'nightly_recharge_status, ans_charge',
    metrics: metricIds('recovery_score'),
    reason: 'The service computes scores with one formula for all providers.',
  },
  {
    resource: 'nightly-recharge',
    field: 'heart_rate_avg, beat_to_beat_avg',
    metrics: metricIds('sleep_heart_rate'),
    reason: 'Covers four hours only; `sleep` has the heart rate of the whole night.',
  },
  {
    resource: 'sleep',
    field: 'sleep_score, sleep_charge',
    metrics: metricIds('sleep_score'),
    reason: 'The service computes scores with one formula for all providers.',
  },
  {
    resource: 'sleep',
    field: 'sleep_goal',
    metrics: metricIds('sleep_need'),
    reason: 'A goal; the service computes the need.',
  },
  {
    resource: 'sleep',
    field: 'short_interruption_duration, long_interruption_duration',
    metrics: metricIds('time_awake wake_after_sleep_onset'),
    reason: 'Parts of `total_interruption_duration`, which is used.',
  },
  {
    resource: 'spo2',
    field: 'heart_rate_variability_ms',
    metrics: metricIds('heart_rate_variability heart_rate_variability_rmssd'),
    reason: 'Polar does not say which kind of variability it is.',
  },
  {
    resource: 'physical-info',
    field: 'resting_heart_rate',
    metrics: metricIds('resting_heart_rate'),
    reason: 'A setting of the account with a default, not a measurement of a day.',
  },
  {
    resource: 'physical-info',
    field: 'maximum_heart_rate',
    metrics: metricIds('heart_rate_max'),
    reason: 'A setting of the account, not the highest heart rate of a day.',
  },
  {
    resource: 'physical-info',
    field: 'sleep_goal',
    metrics: metricIds('sleep_need'),
    reason: 'A goal; the service computes the need.',
  },
  {
    resource: 'ecg',
    field: 'samples',
    metrics: metricIds('irregular_rhythm_events'),
    reason: 'A recording without a classification.',
  },
  {
    resource: 'ecg',
    field: 'average_heart_rate_bpm',
    metrics: metricIds('heart_rate'),
    reason: 'Half a minute at rest; `continuous-heart-rate` has the day.',
  },
  {
    resource: 'ecg',
    field: 'heart_rate_variability_ms',
    metrics: metricIds('heart_rate_variability heart_rate_variability_rmssd'),
    reason: 'Polar does not say which kind of variability it is.',
  },
  {
    resource: 'ppi-samples (version 4)',
    field: 'ppi',
    metrics: metricIds('heart_rate heart_rate_variability_rmssd'),
    reason: 'Another API with a separate registration; version 3 is used.',
  },
];
