// Local dates and time zone names. Pure: the caller passes "today".

import { createBoundedMap } from '../bounded-map.ts';
import type { Branded } from '../branded.ts';
import { DAY_MS } from './durations.ts';
import { joinIntervals } from './intervals.ts';

export type LocalDate = Branded<string, 'LocalDate'>;

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A real calendar day written YYYY-MM-DD, or null. */
export function parseLocalDate(text: string): LocalDate | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  return day >= 1 && day <= daysOfMonth(Number(text.slice(0, 4)), month) ? (text as LocalDate) : null;
}

/** 0 for an invalid month. */
function daysOfMonth(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (MONTH_LENGTHS[month - 1] ?? 0);
}

/** A negative number goes back. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return dateNumbered(dayNumberOf(date) + days);
}

/** Both ends included. */
export type DateRange = { readonly from: LocalDate; readonly to: LocalDate };

/** Accepts any order and repetitions; adjacent dates become one range. Ascending. */
export function joinDates(dates: Iterable<LocalDate>): DateRange[] {
  const days = Array.from(dates, (date) => ({ start: dayNumberOf(date), end: dayNumberOf(date) }));
  return joinIntervals(days, 1).map(({ start, end }) => ({ from: dateNumbered(start), to: dateNumbered(end) }));
}

/** From the first to the last of these dates; null: there are none. */
export function rangeOf(dates: Iterable<LocalDate>): DateRange | null {
  const sorted = [...dates].sort();
  const [from, to] = [sorted[0], sorted.at(-1)];
  return from === undefined || to === undefined ? null : { from, to };
}

/** Days since 1970, for loops over many days, because date texts are slow to move. */
export function dayNumberOf(date: LocalDate): number {
  return numbers.getOrInsertComputed(date, parseDayNumber);
}

function parseDayNumber(date: LocalDate): number {
  return Date.parse(date) / DAY_MS;
}

/** Cached, because baselines use the same weeks again and again. */
const MAX_REMEMBERED = 20_000; // about fifty years
const numbers = createBoundedMap<LocalDate, number>(MAX_REMEMBERED);
const dates = createBoundedMap<number, LocalDate>(MAX_REMEMBERED);

function dateNumbered(dayNumber: number): LocalDate {
  return dates.getOrInsertComputed(dayNumber, formatDayNumber);
}

function formatDayNumber(dayNumber: number): LocalDate {
  return new Date(dayNumber * DAY_MS).toISOString().slice(0, 10) as LocalDate;
}

/** Any IANA name, including aliases. A bare offset such as +02:00 is not a region and would miss every clock change. */
export function isTimeZoneName(text: string): boolean {
  return /^[A-Za-z].{0,63}$/.test(text) && zoneNames.getOrInsertComputed(text, isKnownZone);
}

const MAX_ZONE_NAMES = 1_000;
const zoneNames = createBoundedMap<string, boolean>(MAX_ZONE_NAMES);

function isKnownZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** The calendar day at that moment in that zone; UTC without a zone (specification, Formats). */
export function localDateAt(epochMs: number, timeZone: string | null): LocalDate {
  return Temporal.Instant.fromEpochMilliseconds(epochMs)
    .toZonedDateTimeISO(timeZone ?? 'UTC')
    .toPlainDate()
    .toString() as LocalDate;
}

/** Timestamps in the API: UTC with Z, milliseconds only if they are not zero (gap G-61). */
/** Later times have years of six digits, which the API and PostgreSQL write in another way. */
export const LAST_INSTANT_MS = Date.parse('9999-12-31T23:59:59.999Z');

export function formatInstant(time: Date): string {
  const text = time.toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}

export function formatNullableInstant(time: Date | null): string | null {
  return time === null ? null : formatInstant(time);
}
