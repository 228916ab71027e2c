// Parses the requested dates.
import { addDays, type DateRange, dayNumberOf, type LocalDate, parseLocalDate } from '../../domain/time/calendar.ts';
import type { PersonCall } from '../dialect.ts';

const LISTED_DAYS = 28;
const OLDEST_DAYS = 365;

/** `from` and `to`, both included; the last 28 days by default. Null: invalid, too long or too old. */
export function readRange({ query, view }: PersonCall): DateRange | null {
  const to = query.has('to') ? parseLocalDate(query.get('to') ?? '') : view.today;
  if (to === null) return null;
  const from = query.has('from') ? parseLocalDate(query.get('from') ?? '') : addDays(to, 1 - LISTED_DAYS);
  if (from === null || from > to || dayNumberOf(to) - dayNumberOf(from) > LISTED_DAYS) return null;
  return isTooOld(view.today, from) ? null : { from, to };
}

/** From the path. Null: invalid or too old. */
export function readDate({ params, view }: PersonCall): LocalDate | null {
  const date = parseLocalDate(params.date ?? '');
  return date === null || isTooOld(view.today, date) ? null : date;
}

export function lastDays({ view }: PersonCall): DateRange {
  return { from: addDays(view.today, 1 - LISTED_DAYS), to: view.today };
}

function isTooOld(today: LocalDate, date: LocalDate): boolean {
  return dayNumberOf(today) - dayNumberOf(date) > OLDEST_DAYS;
}
