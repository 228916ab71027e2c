// Fields that a record, a list entry in it or a part of it requires: its identity, its time, or the meaning of its number. All
// others are optional: a wrong value in one of them costs nothing else. The conformance suite fails for a field that is listed
// here although everything can be mapped without it.

/** By resource (`*`: all of them), as paths within the record; `*` is a list entry, `?` any name. */
export type EssentialFields = Readonly<Record<string, readonly string[]>>;

export const ESSENTIAL_FIELDS: Readonly<Record<string, EssentialFields>> = {
  concept2: {
    '*': [
      'id', // identity
      'date', // end, where date_utc is missing
      'time', // start
    ],
    strokes: ['t'], // time
  },
  dexcom: {
    '*': ['systemTime'], // time
    egvs: ['value', 'unit', 'status'], // the number, its meaning, and what replaces it
    events: ['eventType', 'value', 'unit'], // kind, the number and its meaning
  },
  coros: {
    sport: [
      'labelId', // identity
      'startTime', // time
      'endTime', // end
      'triathlonItemList.*.startTime', // time
      'triathlonItemList.*.endTime', // end
    ],
    daily: ['happenDay'], // time
  },
  garmin: {
    '*': ['startTimeInSeconds', 'measurementTimeInSeconds'], // time
    dailies: ['startTimeOffsetInSeconds'], // date, where calendarDate is missing
    sleeps: [
      'summaryId', // identity
      'durationInSeconds', // end, where there are no stages
      'naps.*.napStartTimeInSeconds', // time and identity
      'naps.*.napDurationInSeconds', // end
    ],
    healthSnapshot: ['summaries.*.summaryType'], // kind of measurement
    userMetrics: ['calendarDate'], // time: there is no other field for it
    skinTemp: ['durationInSeconds'], // date, where calendarDate is missing
    activities: [
      'activityId', // identity
      'durationInSeconds', // end
      'manual', // a device's recording comes with its details, and those are used instead
    ],
    manuallyUpdatedActivities: ['activityId', 'durationInSeconds', 'manual'], // as above
    activityDetails: [
      'activityId', // identity
      'summary.startTimeInSeconds', // time
      'summary.durationInSeconds', // end
      'samples.*.startTimeInSeconds', // time
    ],
  },
  google_health: {
    '*': [
      ...ofDate('civilStartTime.date'), // time
      ...ofDate('?.date'),
      '?.interval.startTime',
      '?.interval.endTime',
      '?.sampleTime.physicalTime',
    ],
    'active-minutes-rollup': ['activeMinutes.activeMinutesRollupByActivityLevel.*.activityLevel'], // kind
    'time-in-heart-rate-zone-rollup': ['timeInHeartRateZone.timeInHeartRateZones.*.heartRateZone'], // kind
    'nutrition-log-rollup': ['nutritionLog.nutrients.*.nutrient'], // kind
    'nutrition-log': ['nutritionLog.nutrients.*.nutrient'], // kind
    // The only value: the deviation is its difference from the baseline.
    'daily-sleep-temperature-derivations': ['dailySleepTemperatureDerivations.nightlyTemperatureCelsius'],
    sleep: [
      'dataPointName', // identity
      'sleep.summary.stagesSummary.*.type', // kind
    ],
    exercise: ['dataPointName'], // identity
  },
  oura: {
    '*': ['day', 'timestamp'], // time
    sleep: [
      'id', // identity
      'bedtime_start', // time
      'bedtime_end', // end
      'type', // whether it is a sleep, or the deletion of one
      'hrv.timestamp', // time
      'hrv.interval', // time, from the second value on
    ],
    workout: [
      'id', // identity
      'start_datetime', // time
      'end_datetime', // end
    ],
    session: [
      'start_datetime', // time
      'end_datetime', // end
      'type', // kind
      'heart_rate_variability.timestamp', // time
      'heart_rate_variability.interval', // time, from the second value on
    ],
  },
  polar: {
    '*': ['date', 'start_time'], // time
    sleep: [
      'sleep_start_time', // time
      'sleep_end_time', // end
    ],
    exercises: [
      'id', // identity
      'duration', // end
      'samples.*.sample-type', // kind
      'samples.*.recording-rate', // time, from the second value on
    ],
    activities: ['samples.steps.samples.*.timestamp'], // time
    'continuous-heart-rate': ['sample_time'], // time
    'physical-info': ['modified'], // time
    spo2: [
      'test_status', // a failed test has no result
      'test_time', // time
    ],
    'skin-temperature': ['sleep_date'], // time
    'body-temperature': [
      'measurement_type', // kind
      'samples.*.recording_time_delta_milliseconds', // time
    ],
  },
  strava: {
    '*': ['id', 'start_date', 'elapsed_time'], // identity, start, end
    streams: ['time.data'], // times of all series
  },
  ultrahuman: {
    metrics: [
      'type', // kind
      'object.values.*.timestamp', // time
      'object.bedtime_start', // time
      'object.bedtime_end', // end
    ],
  },
  suunto: {
    '*': [
      'workoutKey', // identity
      'startTime', // time
      'totalTime', // end, where there is no stopTime
    ],
    sleep: [
      'entryData', // all of it
      'entryData.SleepId', // identity
      'entryData.Duration', // end, where there are no bedtimes
    ],
    activity: ['timestamp', 'entryData'], // time
    'daily-activity-statistics': [
      'Name', // kind
      'Sources.*.Samples.*.TimeISO8601', // time
    ],
  },
  wahoo: {
    '*': [
      'id', // identity
      'starts', // time
      'workout_summary', // everything measured: without it the workout is planned
      'workout_summary.duration_total_accum', // end
    ],
  },
  whoop: {
    '*': ['id', 'start', 'end'], // identity, start, end
    recovery: ['sleep_id'], // night: a recovery has no time
    cycle: ['cycle_id'], // day: the date is that of its night
  },
  withings: {
    '*': ['date', 'id', 'startdate', 'enddate'], // time, identity, start, end
    measures: [
      'measures.*.type', // kind
      'measures.*.unit', // the power of ten: without it the value is meaningless
      'measures.*.position', // arm or whole body
    ],
    sleep_stages: ['state'], // kind
  },
};

function ofDate(name: string): string[] {
  return ['year', 'month', 'day'].map((part) => `${name}.${part}`);
}
