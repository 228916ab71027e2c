// Resting and maximum heart rate of a person on a day: what zones and strain are measured by.
export {
  createHeartRateRange as createHeartLimits,
  createHeartRateRangeFrom as createHeartLimitsFrom,
  type HeartRateRangeByDate as HeartLimitsByDate,
  RESTING_HEART_RATE,
  RESTING_REACH_DAYS,
  readHeartRateRange as readHeartLimits,
  readObservedMaxFor as readPeaksFor,
} from './read-heart-rate-range.ts';
export {
  type ObservedMaximum as HeartPeak,
  removeObservedMax as removePeaks,
  saveObservedMax as savePeaks,
} from './store.ts';
