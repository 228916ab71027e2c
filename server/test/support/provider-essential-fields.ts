// Fields that a record, or an entry of a list in it, cannot exist without: what it is called, what it is of and when it was. All
// others are optional: a wrong value in one of them costs nothing else.

/** By provider and resource (`*`: all of them), as paths within the record; `*` is an entry of a list, `?` any name. */
export const ESSENTIAL_FIELDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  garmin: {
    '*': ['startTimeInSeconds', 'measurementTimeInSeconds', 'calendarDate'],
    sleeps: [
      'summaryId',
      'durationInSeconds', // when it ended, where there are no stages
      'awakeDurationInSeconds',
      'naps.*.napStartTimeInSeconds',
      'naps.*.napDurationInSeconds',
    ],
    healthSnapshot: ['summaries.*.summaryType'],
    activities: ['activityId', 'durationInSeconds', 'manual', 'isParent'],
    manuallyUpdatedActivities: ['activityId', 'durationInSeconds', 'manual', 'isParent'],
    activityDetails: [
      'activityId',
      'isParent',
      'summary.startTimeInSeconds',
      'summary.durationInSeconds',
      'summary.isParent',
      'summary.activityType', // running speed, or the speed of a bicycle
      'samples.*.startTimeInSeconds',
    ],
  },
  google_health: {
    '*': [
      ...ofDate('civilStartTime.date'),
      ...ofDate('?.date'),
      '?.interval.startTime',
      '?.interval.endTime',
      '?.sampleTime.physicalTime',
    ],
    'active-minutes-rollup': ['activeMinutes.activeMinutesRollupByActivityLevel.*.activityLevel'],
    'time-in-heart-rate-zone-rollup': ['timeInHeartRateZone.timeInHeartRateZones.*.heartRateZone'],
    'nutrition-log-rollup': ['nutritionLog.nutrients.*.nutrient'],
    'nutrition-log': ['nutritionLog.nutrients.*.nutrient'],
    sleep: ['dataPointName', 'sleep.summary.stagesSummary.*.type'],
    exercise: ['dataPointName'],
  },
  oura: {
    '*': ['day', 'timestamp'],
    sleep: ['id', 'bedtime_start', 'bedtime_end', 'type', 'hrv.timestamp', 'hrv.interval'],
    workout: ['id', 'start_datetime', 'end_datetime', 'label'],
    session: [
      'start_datetime',
      'end_datetime',
      'type',
      'heart_rate_variability.timestamp',
      'heart_rate_variability.interval',
    ],
  },
  polar: {
    '*': ['date', 'start_time'],
    sleep: ['sleep_start_time', 'sleep_end_time'],
    exercises: [
      'id',
      'start_time_utc_offset',
      'duration',
      'detailed_sport_info',
      'samples.*.sample-type',
      'samples.*.recording-rate',
    ],
    activities: ['samples.steps.samples.*.timestamp'],
    'continuous-heart-rate': ['heart_rate_samples.*.sample_time', 'sample_time'],
    'physical-info': ['modified', 'created'],
    spo2: ['test_status', 'test_time'],
    'skin-temperature': ['sleep_date'],
    'body-temperature': ['measurement_type', 'samples.*.recording_time_delta_milliseconds'],
  },
  whoop: {
    '*': ['id', 'start', 'end', 'score_state'],
    recovery: ['sleep_id'],
    cycle: ['cycle_id', 'nap'],
  },
  withings: {
    '*': ['date', 'id', 'startdate', 'enddate'],
    activity: ['brand', 'is_tracker'],
    measures: ['attrib', 'category', 'measures.*.type', 'measures.*.unit', 'measures.*.position'],
    workouts: ['category'],
    sleep_stages: ['state', 'model_id', 'model'],
  },
};

function ofDate(name: string): string[] {
  return ['year', 'month', 'day'].map((part) => `${name}.${part}`);
}
