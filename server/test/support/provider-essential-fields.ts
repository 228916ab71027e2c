// Fields that a record, an entry of a list in it or a part of it cannot exist without: which one it is, when it was, or what its
// number means. All others are optional: a wrong value in one of them costs nothing else. The conformance suite fails for a
// field that is listed here although everything can be read without it.

/** By resource (`*`: all of them), as paths within the record; `*` is an entry of a list, `?` any name. */
export type EssentialFields = Readonly<Record<string, readonly string[]>>;

export const ESSENTIAL_FIELDS: Readonly<Record<string, EssentialFields>> = {
  garmin: {
    '*': ['startTimeInSeconds', 'measurementTimeInSeconds'], // when
    dailies: ['startTimeOffsetInSeconds'], // of which date, where there is no calendarDate
    sleeps: [
      'summaryId', // which one
      'durationInSeconds', // until when, where there are no stages
      'naps.*.napStartTimeInSeconds', // when; it is also which one
      'naps.*.napDurationInSeconds', // until when
    ],
    healthSnapshot: ['summaries.*.summaryType'], // what was measured
    userMetrics: ['calendarDate'], // when: there is no time beside it
    skinTemp: ['durationInSeconds'], // of which date, where there is no calendarDate
    activities: [
      'activityId', // which one
      'durationInSeconds', // until when
      'manual', // what a device recorded comes with its details, and those are read instead
    ],
    manuallyUpdatedActivities: ['activityId', 'durationInSeconds', 'manual'], // as above
    activityDetails: [
      'activityId', // which one
      'summary.startTimeInSeconds', // when
      'summary.durationInSeconds', // until when
      'samples.*.startTimeInSeconds', // when
    ],
  },
  google_health: {
    '*': [
      ...ofDate('civilStartTime.date'), // when
      ...ofDate('?.date'),
      '?.interval.startTime',
      '?.interval.endTime',
      '?.sampleTime.physicalTime',
    ],
    'active-minutes-rollup': ['activeMinutes.activeMinutesRollupByActivityLevel.*.activityLevel'], // of what
    'time-in-heart-rate-zone-rollup': ['timeInHeartRateZone.timeInHeartRateZones.*.heartRateZone'], // of what
    'nutrition-log-rollup': ['nutritionLog.nutrients.*.nutrient'], // of what
    'nutrition-log': ['nutritionLog.nutrients.*.nutrient'], // of what
    // The only value: the deviation is its difference from the baseline.
    'daily-sleep-temperature-derivations': ['dailySleepTemperatureDerivations.nightlyTemperatureCelsius'],
    sleep: [
      'dataPointName', // which one
      'sleep.summary.stagesSummary.*.type', // of what
    ],
    exercise: ['dataPointName'], // which one
  },
  oura: {
    '*': ['day', 'timestamp'], // when
    sleep: [
      'id', // which one
      'bedtime_start', // when
      'bedtime_end', // until when
      'type', // whether it is a sleep, or says that one is gone
      'hrv.timestamp', // when
      'hrv.interval', // when, from the second one on
    ],
    workout: [
      'id', // which one
      'start_datetime', // when
      'end_datetime', // until when
    ],
    session: [
      'start_datetime', // when
      'end_datetime', // until when
      'type', // of what
      'heart_rate_variability.timestamp', // when
      'heart_rate_variability.interval', // when, from the second one on
    ],
  },
  polar: {
    '*': ['date', 'start_time'], // when
    sleep: [
      'sleep_start_time', // when
      'sleep_end_time', // until when
    ],
    exercises: [
      'id', // which one
      'duration', // until when
      'samples.*.sample-type', // of what
      'samples.*.recording-rate', // when, from the second one on
    ],
    activities: ['samples.steps.samples.*.timestamp'], // when
    'continuous-heart-rate': ['sample_time'], // when
    'physical-info': ['modified'], // when
    spo2: [
      'test_status', // a test that was not passed has no result
      'test_time', // when
    ],
    'skin-temperature': ['sleep_date'], // when
    'body-temperature': [
      'measurement_type', // of what
      'samples.*.recording_time_delta_milliseconds', // when
    ],
  },
  whoop: {
    '*': ['id', 'start', 'end'], // which one, when, until when
    recovery: ['sleep_id'], // of which night: a recovery has no time
    cycle: ['cycle_id'], // of which day: the date is that of its night
  },
  withings: {
    '*': ['date', 'id', 'startdate', 'enddate'], // when, which one, from when, until when
    measures: [
      'measures.*.type', // of what
      'measures.*.unit', // the power of ten: without it a value is any number
      'measures.*.position', // of an arm, or of the whole body
    ],
    sleep_stages: ['state'], // of what
  },
};

function ofDate(name: string): string[] {
  return ['year', 'month', 'day'].map((part) => `${name}.${part}`);
}
