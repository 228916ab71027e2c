// What devices call a sleep or a workout: the same when its day is told again, so that it takes the place of the one before.
import { addDays, type LocalDate } from '../time/calendar.ts';
import { DESTINATIONS } from './destinations.ts';
import { SPORT_NAMES } from './sport.ts';

export function nameRecord(
  kind: string,
  { date, position }: { readonly date: LocalDate; readonly position: string | null },
): string {
  return position === null ? `${kind}-${date}` : `${kind}-${date}-${position}`;
}

/** Of all that a device may have of a date. */
export function listSleepNames(date: LocalDate): string[] {
  return ['night', 'nap'].flatMap((kind) => listNames(kind, date));
}

export function listWorkoutNames(date: LocalDate): string[] {
  return SPORT_NAMES.flatMap((sport) => listNames(sport, date));
}

/** Elsewhere the same moment may be of the day before or after. */
function listNames(kind: string, date: LocalDate): string[] {
  const near = [addDays(date, -1), date, addDays(date, 1)];
  const away = DESTINATIONS.flatMap((position) => near.map((day) => nameRecord(kind, { date: day, position })));
  return [nameRecord(kind, { date, position: null }), ...away];
}
