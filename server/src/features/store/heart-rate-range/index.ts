// Resting and maximum heart rate of a user on a day: the range behind heart-rate zones and strain.
export {
  createHeartRateRange,
  createHeartRateRangeFrom,
  type HeartRateRangeByDate,
  RESTING_HEART_RATE,
  RESTING_REACH_DAYS,
  readHeartRateRange,
  readObservedMaxFor,
} from './read-heart-rate-range.ts';
export { recordObservedMax } from './record-observed-max.ts';
export { removeObservedMax } from './store.ts';
