// The strain input of a workout: its best available data.
import type { Workout } from '../records/records.ts';
import { averageHeartRate, type HeartHistogram } from '../workouts/heart-histogram.ts';
import { workoutMinutes } from '../workouts/workout-measures.ts';
import type { WorkoutEffort } from './strain-load.ts';

export function effortOf(workout: Workout, histogram: HeartHistogram | null): WorkoutEffort {
  return {
    minutes: workoutMinutes(workout),
    histogram,
    zoneMinutes: workout.sourceZones?.minutes ?? null,
    averageBpm: averageHeartRate(workout, histogram),
    activeKcal: workout.activeCalories,
  };
}
