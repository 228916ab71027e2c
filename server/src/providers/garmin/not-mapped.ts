// Documented fields of Garmin that could provide a metric of the catalog but are not used, with the reason. Listed in docs/providers.md.
import type { NotMappedField } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

export const NOT_MAPPED: readonly NotMappedField[] = [
  {
    resource: 'dailies',
    field: 'averageHeartRateInBeatsPerMinute',
    metrics: metricIds('heart_rate'),
    reason: 'The mean of the last seven days. The mean of the day comes from the samples of the same summary.',
  },
  {
    resource: 'dailies',
    field: 'averageStressLevel',
    metrics: metricIds('stress_index'),
    reason: 'Garmin’s stress level is a score from 0 to 100; the metric is the Baevsky index.',
  },
  {
    resource: 'dailies',
    field: 'bodyBatteryChargedValue, bodyBatteryDrainedValue',
    metrics: metricIds('energy_reserve_score'),
    reason: 'The service computes scores with one formula for all providers.',
  },
  {
    resource: 'dailies',
    field: 'maxStressLevel',
    metrics: metricIds('stress_index'),
    reason: 'Garmin’s stress level is a score from 0 to 100; the metric is the Baevsky index.',
  },
  {
    resource: 'stressDetails',
    field: 'timeOffsetStressLevelValues',
    metrics: metricIds('stress_time_rest stress_time_low stress_time_medium stress_time_high'),
    reason: '`dailies` has the same four durations, added up by Garmin.',
  },
  {
    resource: 'stressDetails',
    field: 'timeOffsetBodyBatteryValues',
    metrics: metricIds('energy_reserve_score'),
    reason: 'The service computes scores with one formula for all providers.',
  },
  {
    resource: 'epochs',
    field: 'intensity',
    metrics: metricIds('moderate_activity vigorous_activity'),
    reason: '`dailies` has the minutes; the three words of an epoch cannot distinguish moderate from light.',
  },
  {
    resource: 'epochs',
    field: 'activeTimeInSeconds',
    metrics: metricIds('active_minutes'),
    reason: '`dailies` has the active time of the day; here it is only the weight of the METs.',
  },
  {
    resource: 'sleeps',
    field: 'overallSleepScore',
    metrics: metricIds('sleep_score'),
    reason: 'The service computes scores with one formula for all providers.',
  },
  {
    resource: 'healthSnapshot',
    field: 'summaryType sdrr_hrv',
    metrics: metricIds('heart_rate_variability'),
    reason: 'SDRR counts all beats; SDNN, the metric, excludes ectopic beats.',
  },
  {
    resource: 'healthSnapshot',
    field: 'summaryType stress',
    metrics: metricIds('stress_index'),
    reason: 'Garmin’s stress level is a score from 0 to 100; the metric is the Baevsky index.',
  },
  {
    resource: 'userMetrics',
    field: 'fitnessAge',
    metrics: metricIds('metabolic_age'),
    reason: 'A fitness age, not a metabolic age.',
  },
  {
    resource: 'activities',
    field: 'pushes',
    metrics: metricIds('wheelchair_pushes'),
    reason: '`dailies` and `epochs` count the same pushes.',
  },
  {
    resource: 'activities',
    field: 'averageSpeedInMetersPerSecond',
    metrics: metricIds('running_speed cycling_speed'),
    reason: '`activityDetails` has the speed of every second.',
  },
  {
    resource: 'activities',
    field: 'averageBikeCadenceInRoundsPerMinute',
    metrics: metricIds('cycling_cadence'),
    reason: '`activityDetails` has the cadence of every second.',
  },
  {
    resource: 'moveIQActivities',
    field: 'activityType',
    metrics: metricIds('exercise workout_count'),
    reason: 'Guessed movement that overlaps the recorded activities; each would count twice.',
  },
  {
    resource: 'activityFiles',
    field: 'FIT, TCX, GPX',
    metrics: metricIds('running_stride_length'),
    reason: 'Files with the same activities; `activityDetails` is used instead.',
  },
  {
    resource: 'hrv',
    field: 'lastNight5MinHigh',
    metrics: metricIds('sleep_heart_rate_variability'),
    reason: 'The highest five minutes; the metric is the mean of the night.',
  },
  {
    resource: 'activityDetails',
    field: 'speedMetersPerSecond of walks',
    metrics: metricIds('walking_speed'),
    reason: 'The speed of a recorded walk; the metric is of everyday walking.',
  },
  {
    resource: 'activityDetails',
    field: 'elevationInMeters',
    metrics: metricIds('elevation_gain'),
    reason: 'The summary of the same activity has the ascent.',
  },
];
