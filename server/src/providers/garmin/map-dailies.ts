// Daily summaries. They grow over the day and are sent again: each replaces the one before.
// https://developer.garmin.com/gc-developer-program/health-api/ (daily summaries)
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { readNumber } from '../read-json.ts';
import { listSummaries, readDayDate, readMeasuredSeries, readSummaryTime } from './summaries.ts';

/**
 * Garmin's field, our metric, its unit. Stress level and body battery are Garmin's scores and not mapped.
 * averageHeartRateInBeatsPerMinute is the mean of the last seven days: the day's comes from its samples.
 */
const FIELDS = [
  ['steps', 'steps', 'count'],
  ['distanceInMeters', 'distance', 'm'],
  ['pushes', 'wheelchair_pushes', 'count'], // in wheelchair mode
  ['pushDistanceInMeters', 'wheelchair_distance', 'm'],
  ['floorsClimbed', 'floors_climbed', 'count'],
  ['activeTimeInSeconds', 'active_minutes', 's'],
  ['moderateIntensityDurationInSeconds', 'moderate_activity', 's'],
  ['vigorousIntensityDurationInSeconds', 'vigorous_activity', 's'], // plain time: Garmin doubles it only in its app
  ['activeKilocalories', 'active_calories', 'kcal'],
  ['bmrKilocalories', 'resting_energy', 'kcal'],
  ['consumedCalories', 'dietary_energy', 'kcal'],
  ['minHeartRateInBeatsPerMinute', 'heart_rate_min', 'bpm'],
  ['maxHeartRateInBeatsPerMinute', 'heart_rate_max', 'bpm'],
  ['restingHeartRateInBeatsPerMinute', 'resting_heart_rate', 'bpm'],
  ['restStressDurationInSeconds', 'stress_time_rest', 's'],
  ['lowStressDurationInSeconds', 'stress_time_low', 's'],
  ['mediumStressDurationInSeconds', 'stress_time_medium', 's'],
  ['highStressDurationInSeconds', 'stress_time_high', 's'],
] as const;

export function mapDailies(body: unknown): ProviderRecords {
  const records = collectRecords();
  records.each(listSummaries(body, 'dailies'), (item) => {
    const date = readDayDate(item);
    for (const [field, metric, unit] of FIELDS) records.daily(metric, date, readNumber(item, field), unit);
    const { start, offsetMinutes } = readSummaryTime(item);
    // timeOffsetHeartRateSamples: bpm every 15 s
    for (const { afterMs, value } of readMeasuredSeries(item, 'timeOffsetHeartRateSamples')) {
      records.sample('heart_rate', { start: start + afterMs, offsetMinutes }, value, 'bpm');
    }
  });
  return records.records();
}
