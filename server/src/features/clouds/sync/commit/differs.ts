// Whether a list describes a workout differently from the stored one. Fields that the list does not have are ignored.
import type { Workout } from '../../../../domain/records/records.ts';

/** Not those of the heart, which may come from the recording. */
const NUMBERS = ['durationMinutes', 'distanceKm', 'activeCalories', 'steps', 'elevationGainM'] as const;
/** Lists and details may be rounded differently. */
const ROUNDING = 0.005;

export function differs(listed: Workout, stored: Workout): boolean {
  if (listed.start !== stored.start || listed.end !== stored.end) return true;
  if (listed.name !== null && listed.name !== stored.name) return true;
  if (listed.sportType !== 'other' && listed.sportType !== stored.sportType) return true;
  return NUMBERS.some((field) => {
    const value = listed[field];
    return value !== null && !isNear(value, stored[field]);
  });
}

function isNear(value: number, stored: number | null): boolean {
  return stored !== null && Math.abs(value - stored) <= Math.max(Math.abs(value), Math.abs(stored)) * ROUNDING;
}
