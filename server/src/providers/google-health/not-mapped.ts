// Documented fields of Google Health that could provide a metric of the catalog but are not used, with the reason. Listed in docs/providers.md.
import type { NotMappedField } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

export const NOT_MAPPED: readonly NotMappedField[] = [
  {
    resource: 'active-zone-minutes',
    field: 'activeZoneMinutes',
    metrics: metricIds('intensity_minutes'),
    reason: 'The service computes it from moderate and vigorous minutes.',
  },
  {
    resource: 'daily-oxygen-saturation',
    field: 'lowerBoundPercentage',
    metrics: metricIds('blood_oxygen_min'),
    reason: 'A confidence bound, not the lowest value.',
  },
  {
    resource: 'time-in-heart-rate-zone',
    field: 'LIGHT',
    metrics: metricIds('heart_rate_zone_1_time'),
    reason: 'Below zone 1: it holds all of the day that is spent at rest.',
  },
  {
    resource: 'respiratory-rate-sleep-summary',
    field: 'deepSleepStats, lightSleepStats, remSleepStats',
    metrics: metricIds('respiratory_rate'),
    reason: 'Parts of `fullSleepStats`.',
  },
  {
    resource: 'exercise',
    field: 'metricsSummary.runVo2Max',
    metrics: metricIds('vo2_max'),
    reason: '`run-vo2-max` has the same value with its time.',
  },
  {
    resource: 'exercise',
    field: 'averageSpeedMillimetersPerSecond, averagePaceSecondsPerMeter',
    metrics: metricIds('running_speed cycling_speed walking_speed'),
    reason: 'One mean of the whole exercise, which also follows from distance and duration.',
  },
  {
    resource: 'exercise',
    field: 'metricsSummary.activeZoneMinutes',
    metrics: metricIds('intensity_minutes'),
    reason: 'The service computes it from moderate and vigorous minutes.',
  },
  {
    resource: 'exercise',
    field: 'mobilityMetrics.avgStrideLengthMillimeters',
    metrics: metricIds('running_stride_length'),
    reason: 'One mean of the whole exercise; the metric is made of samples.',
  },
  {
    resource: 'nutrition-log',
    field: 'nutrients: FOLIC_ACID',
    metrics: metricIds('folate'),
    reason: 'One form of folate; `FOLATE` is all of it.',
  },
  {
    resource: 'floors',
    field: 'count',
    metrics: metricIds('floors_climbed'),
    reason: '`floors-rollup` has the days, added up by Google over all sources.',
  },
  {
    resource: 'altitude',
    field: 'gainMillimeters',
    metrics: metricIds('elevation_gain'),
    reason: '`altitude-rollup` has the days, added up by Google over all sources.',
  },
  {
    resource: 'irregular-rhythm-notification',
    field: 'alertWindows',
    metrics: metricIds('irregular_rhythm_events'),
    reason: 'Requires a separate scope, which Google grants after a separate review.',
  },
  {
    resource: 'electrocardiogram',
    field: 'resultClassification',
    metrics: metricIds('irregular_rhythm_events'),
    reason: 'Requires a separate scope, which Google grants after a separate review.',
  },
  {
    resource: 'heart-rate',
    field: 'rollup: beatsPerMinuteAvg, beatsPerMinuteMin, beatsPerMinuteMax',
    metrics: metricIds('heart_rate heart_rate_min heart_rate_max'),
    reason: 'Computed from the samples, in the same way for all providers.',
  },
  {
    resource: 'daily-heart-rate-variability',
    field: 'deepSleepRootMeanSquareOfSuccessiveDifferencesMilliseconds',
    metrics: metricIds('sleep_heart_rate_variability'),
    reason: 'Covers deep sleep only; the average of the night is used.',
  },
  {
    resource: 'daily-heart-rate-variability',
    field: 'nonRemHeartRateBeatsPerMinute',
    metrics: metricIds('sleep_heart_rate'),
    reason: 'Covers a part of the night; the metric covers all of it.',
  },
  {
    resource: 'daily-sleep-temperature-derivations',
    field: 'relativeNightlyStddev30dCelsius',
    metrics: metricIds('sleep_temperature_deviation'),
    reason: 'The spread of 30 nights, not the difference of one night.',
  },
  {
    resource: 'daily-heart-rate-zones',
    field: 'heartRateZones',
    metrics: metricIds('heart_rate_zone_1_time heart_rate_zone_2_time heart_rate_zone_3_time'),
    reason: 'Limits of zones, not times.',
  },
  {
    resource: 'calories-in-heart-rate-zone',
    field: 'kcal',
    metrics: metricIds('active_calories'),
    reason: 'Parts of `active-energy-burned`, which is used.',
  },
  {
    resource: 'activity-level',
    field: 'activityLevelType',
    metrics: metricIds('light_activity moderate_activity vigorous_activity sedentary_time'),
    reason: '`active-minutes` and `sedentary-period` have the sums of a day.',
  },
  {
    resource: 'sleep',
    field: 'summary.minutesToFallAsleep',
    metrics: metricIds('sleep_latency'),
    reason: 'Computed from the stages of the same sleep.',
  },
  {
    resource: 'sleep',
    field: 'summary.stagesSummary.count',
    metrics: metricIds('awakenings'),
    reason: 'Computed from the stages of the same sleep.',
  },
  {
    resource: 'swim-lengths-data',
    field: 'strokeCount',
    metrics: metricIds('swimming_strokes'),
    reason: 'Single pool lengths; an exercise does not say which of them belong to it.',
  },
];
