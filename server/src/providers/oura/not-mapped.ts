// Documented fields of Oura that could provide a metric of the catalog but are not used, with the reason. Listed in docs/providers.md.
import type { NotMappedField } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

export const NOT_MAPPED: readonly NotMappedField[] = [
  {
    resource: 'daily_activity',
    field: 'equivalent_walking_distance',
    metrics: metricIds('distance'),
    reason: 'Oura converts it from energy; it is not the distance the person walked.',
  },
  {
    resource: 'daily_activity',
    field: 'class_5_min',
    metrics: metricIds('light_activity moderate_activity vigorous_activity sedentary_time'),
    reason: 'The same document has these times in seconds.',
  },
  {
    resource: 'daily_activity',
    field: 'met.items',
    metrics: metricIds('average_met'),
    reason: '`average_met_minutes` of the same document is their mean.',
  },
  {
    resource: 'daily_activity',
    field: 'low_activity_met_minutes, sedentary_met_minutes',
    metrics: metricIds('met_minutes'),
    reason: 'The metric begins at 3 MET.',
  },
  {
    resource: 'daily_readiness',
    field: 'score',
    metrics: metricIds('recovery_score'),
    reason: 'The service computes scores with one formula for all providers.',
  },
  {
    resource: 'daily_readiness',
    field: 'temperature_trend_deviation',
    metrics: metricIds('sleep_temperature_deviation'),
    reason: 'Weighted over several nights; the metric is of one.',
  },
  {
    resource: 'daily_sleep',
    field: 'score',
    metrics: metricIds('sleep_score'),
    reason: 'The service computes scores with one formula for all providers.',
  },
  {
    resource: 'daily_resilience',
    field: 'level',
    metrics: metricIds('recovery_score'),
    reason: 'A word instead of a number; the service computes scores.',
  },
  {
    resource: 'sleep',
    field: 'latency',
    metrics: metricIds('sleep_latency'),
    reason: 'Computed from the hypnogram of the same document.',
  },
  {
    resource: 'sleep',
    field: 'efficiency',
    metrics: metricIds('sleep_efficiency'),
    reason: 'Computed from minutes asleep and in bed, in the same way for all providers.',
  },
  {
    resource: 'sleep',
    field: 'restless_periods',
    metrics: metricIds('awakenings'),
    reason: 'Restless sleep is not being awake; awakenings come from the hypnogram.',
  },
  {
    resource: 'sleep',
    field: 'readiness.temperature_deviation',
    metrics: metricIds('sleep_temperature_deviation'),
    reason: 'The same number as in `daily_readiness`.',
  },
  {
    resource: 'sleep',
    field: 'heart_rate',
    metrics: metricIds('heart_rate'),
    reason: '`heartrate` has the same beats, with the source `sleep`.',
  },
  {
    resource: 'sleep',
    field: 'lowest_heart_rate',
    metrics: metricIds('resting_heart_rate'),
    reason: 'Given as `sleep_heart_rate_min`: the lowest 30 seconds of a night are not its resting heart rate.',
  },
  {
    resource: 'session',
    field: 'heart_rate',
    metrics: metricIds('heart_rate'),
    reason: '`heartrate` has the same beats, with the source `session`.',
  },
  {
    resource: 'session',
    field: 'type: nap',
    metrics: metricIds('nap_duration'),
    reason: '`sleep` has naps, with what was measured in them.',
  },
  {
    resource: 'enhanced_tag',
    field: 'tag_type_code',
    metrics: metricIds('caffeine alcoholic_drinks'),
    reason: 'A tag records coffee or alcohol, but not how much.',
  },
  {
    resource: 'personal_info',
    field: 'weight, height',
    metrics: metricIds('weight height'),
    reason: 'Entered once in the app and given without a date; its scope also shares the e-mail address.',
  },
  {
    resource: 'interbeat_interval',
    field: 'ibi',
    metrics: metricIds('heart_rate_variability'),
    reason: 'Raw intervals; `sleep` gives the variability computed from them.',
  },
  {
    resource: 'blood_glucose',
    field: '(webhook type)',
    metrics: metricIds('blood_glucose'),
    reason: 'Named in the list of webhook types, without a documented resource.',
  },
  {
    resource: 'daily_stress',
    field: 'day_summary',
    metrics: metricIds('stress_score'),
    reason: 'A word instead of a number; the service computes scores.',
  },
  {
    resource: 'daily_cardiovascular_age',
    field: 'vascular_age',
    metrics: metricIds('metabolic_age'),
    reason: 'A vascular age, not a metabolic age.',
  },
];
