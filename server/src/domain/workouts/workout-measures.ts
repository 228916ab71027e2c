// Derived measures of a workout.

import type { Workout } from '../records/records.ts';
import type { LocalDate } from '../time/calendar.ts';
import type { Zone } from '../time/day.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { findSport } from './sports.ts';

/** Its day is the local day of its start. */
export function workoutDate({ start }: Pick<Workout, 'start'>, zone: Zone): LocalDate {
  return zone.dayAt(start).date;
}

/** As the source reported it (it may exclude pauses), else from start to end. */
export function workoutMinutes({ durationMinutes, start, end }: Workout): number {
  return durationMinutes ?? (end - start) / MINUTE_MS;
}

/** An empty name counts as none. */
export function workoutName({ name, sportType }: Workout): string {
  return name?.trim() ? name : (findSport(sportType)?.displayName ?? sportType);
}

export function averageSpeedKmh(workout: Workout): number | null {
  const minutes = workoutMinutes(workout);
  return workout.distanceKm === null || minutes <= 0 ? null : (workout.distanceKm * 60) / minutes;
}

/** Null without distance, because the pace would be infinite. */
export function averagePaceSecondsPerKm(workout: Workout): number | null {
  const minutes = workoutMinutes(workout);
  return workout.distanceKm === null || workout.distanceKm <= 0 || minutes <= 0
    ? null
    : (minutes * 60) / workout.distanceKm;
}
