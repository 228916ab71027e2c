// Local dates and time zone names. Pure: what "today" is, the caller says.
import type { Branded } from './branded.ts';

export type LocalDate = Branded<string, 'LocalDate'>;

const DAY_MS = 86_400_000;

/** A real calendar day written YYYY-MM-DD, or null. */
export function parseLocalDate(text: string): LocalDate | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' });
    return text as LocalDate;
  } catch {
    return null;
  }
}

/** Before it with a negative number. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return dateNumbered(dayNumberOf(date) + days);
}

/** Days since 1970. */
export function dayNumberOf(date: LocalDate): number {
  return numbers.getOrInsertComputed(date, () => Date.parse(date) / DAY_MS);
}

/** Baselines ask for the same weeks over and over: a date is written and read once. */
const numbers = new Map<LocalDate, number>();
const dates = new Map<number, LocalDate>();
const MAX_REMEMBERED = 20_000; // about fifty years

function dateNumbered(dayNumber: number): LocalDate {
  if (dates.size + numbers.size > MAX_REMEMBERED) {
    dates.clear();
    numbers.clear();
  }
  return dates.getOrInsertComputed(
    dayNumber,
    () => new Date(dayNumber * DAY_MS).toISOString().slice(0, 10) as LocalDate,
  );
}

/** Any IANA name, aliases included; a bare offset such as +02:00 is no region and would lose every clock change. */
export function isTimeZoneName(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** The calendar day at that moment in that zone; without a zone, UTC (specification, Formats). */
export function localDateAt(epochMs: number, timeZone: string | null): LocalDate {
  return Temporal.Instant.fromEpochMilliseconds(epochMs)
    .toZonedDateTimeISO(timeZone ?? 'UTC')
    .toPlainDate()
    .toString() as LocalDate;
}

/** Timestamps on the wire: UTC with Z, milliseconds only where they are not zero (gap G-61). */
export function formatInstant(time: Date): string {
  const text = time.toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}

export function formatNullableInstant(time: Date | null): string | null {
  return time === null ? null : formatInstant(time);
}
