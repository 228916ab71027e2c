// Resting and maximum heart rate of a person on a day: what zones and strain are measured by.
export {
  createHeartLimits,
  createHeartLimitsFrom,
  type HeartLimitsByDate,
  RESTING_HEART_RATE,
  RESTING_REACH_DAYS,
  readHeartLimits,
  readPeaksFor,
} from './read-heart-limits.ts';
export { type HeartPeak, removePeaks, savePeaks } from './store.ts';
