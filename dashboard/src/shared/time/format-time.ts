// Times in words. A person's times are in the person's zone, the service's times in the reader's; callers name the zone.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './durations.ts';

type Instant = string | number | Date;

export function readerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** 19:04 */
export function clock(at: Instant, zone: string = readerZone()): string {
  return format(at, zone, { hour: '2-digit', minute: '2-digit' });
}

/** 19:04:31, where order matters. */
export function clockSeconds(at: Instant, zone: string = readerZone()): string {
  return format(at, zone, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
}

/** 15 November */
export function day(at: Instant, zone: string = readerZone()): string {
  return format(at, zone, { day: 'numeric', month: 'long' });
}

/** 15 November 2026, 19:04 */
export function dateTime(at: Instant, zone: string = readerZone()): string {
  const date = format(at, zone, { day: 'numeric', month: 'long', year: 'numeric' });
  return `${date}, ${clock(at, zone)}`;
}

/** 15 November, 19:04; with the year if it is not this one. */
export function shortDateTime(at: Instant, nowMs: number = Date.now(), zone: string = readerZone()): string {
  const year = (time: Instant) => format(time, zone, { year: 'numeric' });
  return year(at) === year(nowMs) ? `${day(at, zone)}, ${clock(at, zone)}` : dateTime(at, zone);
}

/** Sunday, 15 November of a calendar date such as 2026-11-15. */
export function longDate(date: string): string {
  return format(`${date}T12:00:00Z`, 'UTC', { weekday: 'long', day: 'numeric', month: 'long' });
}

/** 15 Nov of a calendar date such as 2026-11-15. */
export function shortDate(date: string): string {
  return format(`${date}T12:00:00Z`, 'UTC', { day: 'numeric', month: 'short' });
}

/** The calendar date of an instant in a zone: 2026-11-15. */
export function calendarDate(at: Instant, zone: string = readerZone()): string {
  return formatter(zone, { year: 'numeric', month: '2-digit', day: '2-digit' }, 'en-CA').format(new Date(at));
}

/** The calendar date a number of days before today in a zone. A day can have 23 or 25 hours, so this counts dates and not hours. */
export function calendarDaysAgo(days: number, zone: string = readerZone(), nowMs: number = Date.now()): string {
  const today = Date.parse(calendarDate(nowMs, zone));
  return new Date(today - days * DAY_MS).toISOString().slice(0, 10);
}

/** 5 min ago */
export function ago(at: Instant, nowMs: number = Date.now()): string {
  const ms = nowMs - new Date(at).getTime();
  return ms < SECOND_MS ? 'just now' : `${roughly(ms)} ago`;
}

/** in 6 min */
export function until(at: Instant, nowMs: number = Date.now()): string {
  const ms = new Date(at).getTime() - nowMs;
  return ms <= 0 ? 'now' : `in ${roughly(ms)}`;
}

/** 7 h 50 */
export function duration(minutes: number): string {
  const whole = Math.round(minutes);
  if (whole < 60) return `${whole} min`;
  return `${Math.floor(whole / 60)} h ${String(whole % 60).padStart(2, '0')}`;
}

function roughly(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} days`;
}

function format(at: Instant, zone: string, options: Intl.DateTimeFormatOptions): string {
  return formatter(zone, options).format(new Date(at));
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(zone: string, options: Intl.DateTimeFormatOptions, locale = 'en-GB'): Intl.DateTimeFormat {
  const key = `${zone} ${locale} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, { timeZone: zone, ...options });
  formatters.set(key, made);
  return made;
}
