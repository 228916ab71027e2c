// Polar's times: local time of the device, mostly without an offset. https://www.polar.com/accesslink-api/

import { addDays, type LocalDate, parseLocalDate } from '../../domain/time/calendar.ts';
import { createZone } from '../../domain/time/day.ts';
import { DAY_MS, DAY_SECONDS, HOUR_SECONDS, MINUTE_MS } from '../../domain/time/durations.ts';
import { ProviderAnswerError } from '../contract.ts';
import { type JsonObject, readText } from '../read-json.ts';
import { type Moment, readMoment } from '../read-time.ts';
import { rejectField } from '../unreadable-fields.ts';

export type LocalMoment = { readonly start: number; readonly offsetMinutes: number };

const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?$/;
const LOCAL = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/;

/** Converts a local time. If clocks go back, the first occurrence; a skipped time is read after the gap. */
export function atLocal(zone: string, date: LocalDate, secondsOfDay: number): LocalMoment {
  const day = createZone(zone).dayOf(date);
  if (day.end - day.start === DAY_SECONDS * 1_000) {
    const offsetMinutes = Math.round((Date.parse(date) - day.start) / MINUTE_MS);
    return { start: day.start + secondsOfDay * 1_000, offsetMinutes };
  }
  const local = Temporal.PlainDateTime.from(date)
    .add({ seconds: Math.round(secondsOfDay) })
    .toZonedDateTime(zone);
  return { start: local.epochMilliseconds, offsetMinutes: Math.round(local.offsetNanoseconds / 60e9) };
}

/** "07:02" or "07:02:30", in seconds. */
function parseClock(text: string): number {
  const seconds = findClock(text);
  if (seconds === null) throw new ProviderAnswerError('a time of day is out of range');
  return seconds;
}

export function readClock(item: JsonObject, name: string): number | null {
  const text = readText(item, name);
  return text === null ? null : (findClock(text) ?? rejectField(name, 'is not a time of day'));
}

export function findClock(text: string): number | null {
  const [, hours, minutes, seconds = '0'] = CLOCK.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * HOUR_SECONDS + Number(minutes) * 60 + Number(seconds);
}

/** "2026-03-02T07:02:00" in the user's zone; with an offset it needs none. */
export function readLocalMoment(item: JsonObject, name: string, zone: string): LocalMoment | null {
  const text = readText(item, name);
  if (text === null) return null;
  const local = splitLocal(text);
  if (local !== null) return atLocal(zone, local.date, local.secondsOfDay);
  const moment = readMoment(item, name);
  return moment === null ? null : { start: moment.ms, offsetMinutes: moment.offsetMinutes };
}

/** Null: it has an offset, or is not a time. */
export function splitLocal(text: string): { readonly date: LocalDate; readonly secondsOfDay: number } | null {
  const [, day = '', clock = ''] = LOCAL.exec(text) ?? [];
  const date = parseLocalDate(day);
  const secondsOfDay = findClock(clock);
  return date === null || secondsOfDay === null ? null : { date, secondsOfDay };
}

/** ISO 8601 as in "PT1H31M31S", in seconds. */
export function readDurationSeconds(item: JsonObject, name: string): number | null {
  const text = readText(item, name);
  if (text === null) return null;
  try {
    return Temporal.Duration.from(text).total('seconds');
  } catch {
    return rejectField(name, 'is not a duration');
  }
}

/**
 * If all times of a night lie on one side of midnight, they belong to the evening if they begin from this hour. A sleep that
 * began after 18:00 and ended the same day would be shorter than six hours.
 */
const EVENING_S = 18 * HOUR_SECONDS;

/**
 * Times of a night that is identified by the date on which it ended. They span at most one day in any order: the longest gap
 * between two of them is the waking day, and times before midnight belong to the date before.
 */
export function placeNight(clocks: readonly string[], date: LocalDate): { date: LocalDate; secondsOfDay: number }[] {
  const times = clocks.map(parseClock);
  const sorted = times.toSorted((a, b) => a - b);
  const pauses = sorted.map(
    (time, position) => (time - (sorted[position - 1] ?? (sorted.at(-1) ?? 0) - DAY_SECONDS)) % DAY_SECONDS,
  );
  const first = sorted[pauses.indexOf(Math.max(...pauses))] ?? 0;
  const last = sorted[(sorted.indexOf(first) + sorted.length - 1) % sorted.length] ?? first;
  const isBefore = (time: number) => (last < first ? time >= first : first >= EVENING_S);
  return times.map((secondsOfDay) => ({
    date: isBefore(secondsOfDay) ? addDays(date, -1) : date,
    secondsOfDay,
  }));
}

/** Converts "HH:MM" in local time of the device to its moment within the night; the minute in which the night began is its start. */
export function nightClock(start: Moment, end: Moment, zone: string): (clock: string) => number {
  const wallStartMs = start.ms + start.offsetMinutes * MINUTE_MS;
  const minuteStartMs = wallStartMs - (wallStartMs % MINUTE_MS);
  const changeMs = findChange(start, end, zone);
  const changeByMs = (end.offsetMinutes - start.offsetMinutes) * MINUTE_MS;
  return (clock) => {
    const sinceMs = (parseClock(clock) * 1_000 - (minuteStartMs % DAY_MS) + DAY_MS) % DAY_MS;
    const atMs = minuteStartMs + sinceMs - start.offsetMinutes * MINUTE_MS;
    const changedMs = changeMs !== null && atMs >= changeMs ? atMs - changeByMs : atMs;
    return Math.min(Math.max(changedMs, start.ms), end.ms);
  };
}

/** The clock change of that night in the user's zone, if any. */
function findChange(start: Moment, end: Moment, zone: string): number | null {
  if (start.offsetMinutes === end.offsetMinutes) return null;
  const change = Temporal.Instant.fromEpochMilliseconds(start.ms)
    .toZonedDateTimeISO(zone)
    .getTimeZoneTransition('next')?.epochMilliseconds;
  return change !== undefined && change <= end.ms ? change : null;
}
