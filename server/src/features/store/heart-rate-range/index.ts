// Resting and maximum heart rate of a person on a day: what zones and strain are measured by.
export {
  createHeartRateRange,
  createHeartRateRangeFrom,
  type HeartRateRangeByDate,
  RESTING_HEART_RATE,
  RESTING_REACH_DAYS,
  readHeartRateRange,
  readObservedMaxFor,
} from './read-heart-rate-range.ts';
export {
  type ObservedMaximum,
  removeObservedMax,
  saveObservedMax,
} from './store.ts';
