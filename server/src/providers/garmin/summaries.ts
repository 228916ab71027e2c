// What all Garmin summaries have in common: lists, UTC seconds with an offset, and series by seconds since the start.

import type { LocalDate } from '../../domain/time/calendar.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import { ProviderAnswerError } from '../contract.ts';
import { asNumber, asObject, type JsonObject, readPart, readValues, required } from '../read-json.ts';
import { readDate, readEpochSeconds, readLastingMs, readOffsetNumber } from '../read-time.ts';
import { rejectField } from '../unreadable-fields.ts';

export const HEALTH_API = 'https://developer.garmin.com/gc-developer-program/health-api/';

/** As pushed (`{"dailies": […]}`), as a link returns them (`[…]`), or a single one. */
export function listSummaries(body: unknown, name: string): readonly unknown[] {
  if (Array.isArray(body)) return body;
  const envelope = asObject(body, name);
  return name in envelope ? readValues(envelope, name) : [envelope];
}

type SummaryTime = { readonly start: number; readonly offsetMinutes: number };

/**
 * `startTimeInSeconds`: UTC; `startTimeOffsetInSeconds`: the local offset, in health snapshots also spelled
 * `offsetStartTimeInSeconds`. `measurement…` for single measurements.
 */
export function readSummaryTime(item: JsonObject, prefix: 'start' | 'measurement' = 'start'): SummaryTime {
  const named = readOffsetNumber(item, `${prefix}TimeOffsetInSeconds`, 60);
  const offset = prefix === 'start' ? (named ?? readOffsetNumber(item, 'offsetStartTimeInSeconds', 60)) : named;
  return {
    start: required(readEpochSeconds(item, `${prefix}TimeInSeconds`), `${prefix}TimeInSeconds`),
    offsetMinutes: offset ?? 0, // without an offset the time is in UTC
  };
}

/** Garmin's date, otherwise the local date of the start. */
export function readDayDate(item: JsonObject): LocalDate {
  return readDate(item, 'calendarDate') ?? dateOnWall(readSummaryTime(item));
}

/** A night belongs to the date on which it ended. */
export function readNightDate(item: JsonObject): LocalDate {
  const date = readDate(item, 'calendarDate');
  if (date !== null) return date;
  const { start, offsetMinutes } = readSummaryTime(item);
  const lastsMs = required(readLastingMs(item, 'durationInSeconds', 1_000), 'durationInSeconds');
  return dateOnWall({ start: start + lastsMs, offsetMinutes });
}

function dateOnWall({ start, offsetMinutes }: SummaryTime): LocalDate {
  const wall = new Date(start + offsetMinutes * MINUTE_MS);
  if (Number.isNaN(wall.getTime())) throw new ProviderAnswerError('a time is out of range');
  return wall.toISOString().slice(0, 10) as LocalDate;
}

/** Without an offset the time is in UTC. */
export function readOffsetSeconds(item: JsonObject, name: string): number {
  return readOffsetNumber(item, name, 60) ?? 0;
}

type SeriesPoint = { readonly afterMs: number; readonly value: number };

/** `{"15": 58, "30": 58}`: seconds after the summary's start. */
function readSeries(item: JsonObject, name: string): SeriesPoint[] {
  const points: SeriesPoint[] = [];
  for (const [seconds, reported] of Object.entries(readPart(item, name) ?? {})) {
    const value = /^\d{1,9}$/.test(seconds)
      ? asNumber(reported, name)
      : rejectField(name, 'is not a series by seconds');
    if (value !== null) points.push({ afterMs: Number(seconds) * 1_000, value });
  }
  return points;
}

/**
 * Series of heart rate, respiration, blood oxygen and stress. Values below 0 are Garmin's reasons for a missing value (off the wrist, too
 * much motion); 0 means no signal.
 */
export function readMeasuredSeries(item: JsonObject, name: string): SeriesPoint[] {
  return readSeries(item, name).filter(({ value }) => value > 0);
}
