// Workouts: from device records to canonical workouts and daily metrics.
export { consolidateWorkouts, traitsOfWorkout } from './consolidate-workouts.ts';
export { averageHeartRate, buildHeartHistogram, type HeartHistogram, maxHeartRate } from './heart-histogram.ts';
export {
  ageYearsOn,
  estimateMaxBpm,
  findHeartRateRange,
  type HeartFacts,
  type HeartRateRange,
  LOWEST_ESTIMATE_BPM,
  OBSERVED_MAX_DAYS,
} from './heart-rate-range.ts';
export { bucketHeartRate } from './heart-rate-trace.ts';
export { findZoneBasis, findZones, type HeartRateZone, ZONE_BASES, type ZoneBasis } from './heart-rate-zones.ts';
export { listFedMetrics, summarizeWorkoutDay } from './workout-day.ts';
export {
  averagePaceSecondsPerKm,
  averageSpeedKmh,
  workoutDate,
  workoutMinutes,
  workoutName,
} from './workout-measures.ts';
