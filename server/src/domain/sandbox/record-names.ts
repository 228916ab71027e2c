// Record ids of sleeps and workouts. They stay the same when a day is generated again, so that a new record replaces
// the old one.
import { addDays, type LocalDate } from '../time/calendar.ts';
import { DESTINATIONS } from './destinations.ts';
import { SPORT_NAMES } from './sport.ts';

export function nameRecord(
  kind: string,
  { date, position }: { readonly date: LocalDate; readonly position: string | null },
): string {
  return position === null ? `${kind}-${date}` : `${kind}-${date}-${position}`;
}

/** All ids that a device may use for a date. */
export function listSleepNames(date: LocalDate): string[] {
  return ['night', 'nap'].flatMap((kind) => listNames(kind, date));
}

export function listWorkoutNames(date: LocalDate): string[] {
  return SPORT_NAMES.flatMap((sport) => listNames(sport, date));
}

/** In another zone the same moment may belong to the day before or after. */
function listNames(kind: string, date: LocalDate): string[] {
  const near = [addDays(date, -1), date, addDays(date, 1)];
  const away = DESTINATIONS.flatMap((position) => near.map((day) => nameRecord(kind, { date: day, position })));
  return [nameRecord(kind, { date, position: null }), ...away];
}
