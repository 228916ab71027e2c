// Workouts: from what devices reported to what is shown, and to the day.
export { chooseWorkouts } from './choose-workouts.ts';
export { findHeartLimits, type HeartFacts, type HeartLimits } from './heart-limits.ts';
export { averageHeartRate, bucketHeartRate, maxHeartRate } from './heart-rate-trace.ts';
export { divideIntoZones, type HeartRateZone } from './heart-rate-zones.ts';
export { summarizeWorkoutDay, type WorkoutDayValue } from './workout-day.ts';
export {
  averagePaceSecondsPerKm,
  averageSpeedKmh,
  workoutDate,
  workoutMinutes,
  workoutName,
} from './workout-measures.ts';
