// Resting and maximum heart rate of a person on a day: what zones and strain are measured by.
export {
  createHeartLimits,
  type HeartLimitsByDate,
  observedMax,
  RESTING_HEART_RATE,
  RESTING_REACH_DAYS,
  readHeartLimits,
} from './read-heart-limits.ts';
export { type HeartPeak, readPeaks, removePeaks, savePeaks } from './store.ts';
