// What all of Garmin's summaries have in common: lists of them, UTC seconds with an offset beside them, and series by seconds
// since their start.
import type { LocalDate } from '../../domain/calendar.ts';
import { ProviderAnswerError } from '../contract.ts';
import { asNumber, asObject, type JsonObject, readNumber, readPart, readValues, required } from '../read-json.ts';
import { readDate, readEpochSeconds } from '../read-time.ts';

export const HEALTH_API = 'https://developer.garmin.com/gc-developer-program/health-api/';
export const ACTIVITY_API = 'https://developer.garmin.com/gc-developer-program/activity-api/';

/** As pushed (`{"dailies": […]}`), as its link answers (`[…]`), or one alone. */
export function listSummaries(body: unknown, name: string): readonly JsonObject[] {
  if (Array.isArray(body)) return body.map((item) => asObject(item, name));
  const envelope = asObject(body, name);
  return name in envelope ? readValues(envelope, name).map((item) => asObject(item, name)) : [envelope];
}

export type SummaryTime = { readonly start: number; readonly offsetMinutes: number };

/**
 * `startTimeInSeconds`: UTC; `startTimeOffsetInSeconds`: what the wall was ahead by, in health snapshots also spelled
 * `offsetStartTimeInSeconds`. `measurement…` for single readings.
 */
export function readSummaryTime(item: JsonObject, prefix: 'start' | 'measurement' = 'start'): SummaryTime {
  const offset = readNumber(item, `${prefix}TimeOffsetInSeconds`);
  return {
    start: required(readEpochSeconds(item, `${prefix}TimeInSeconds`), `${prefix}TimeInSeconds`),
    offsetMinutes: toOffsetMinutes(
      prefix === 'start' ? (offset ?? readNumber(item, 'offsetStartTimeInSeconds')) : offset,
    ),
  };
}

/** The date that Garmin names, else the one on the wall when the day began. */
export function readDayDate(item: JsonObject): LocalDate {
  return readDate(item, 'calendarDate') ?? dateOnWall(readSummaryTime(item));
}

/** A night is of the date that it ended on. */
export function readNightDate(item: JsonObject): LocalDate {
  const date = readDate(item, 'calendarDate');
  if (date !== null) return date;
  const { start, offsetMinutes } = readSummaryTime(item);
  const seconds = required(readNumber(item, 'durationInSeconds'), 'durationInSeconds');
  return dateOnWall({ start: start + seconds * 1_000, offsetMinutes });
}

function dateOnWall({ start, offsetMinutes }: SummaryTime): LocalDate {
  const wall = new Date(start + offsetMinutes * 60_000);
  if (Number.isNaN(wall.getTime())) throw new ProviderAnswerError('a time is out of range');
  return wall.toISOString().slice(0, 10) as LocalDate;
}

/** Without an offset a time is told in UTC. */
export function toOffsetMinutes(seconds: number | null): number {
  return Math.round((seconds ?? 0) / 60);
}

export type SeriesPoint = { readonly afterMs: number; readonly value: number };

/** `{"15": 58, "30": 58}`: seconds after the summary's start. */
export function readSeries(item: JsonObject, name: string): SeriesPoint[] {
  const points: SeriesPoint[] = [];
  for (const [seconds, told] of Object.entries(readPart(item, name) ?? {})) {
    const value = asNumber(told, name);
    if (!/^\d+$/.test(seconds)) throw new ProviderAnswerError(`${name} is no series by seconds`);
    if (value !== null) points.push({ afterMs: Number(seconds) * 1_000, value });
  }
  return points;
}

/** Series of heart, breath and blood. Below 0 Garmin says why there is no value (off the wrist, too much motion); 0 is no signal. */
export function readMeasuredSeries(item: JsonObject, name: string): SeriesPoint[] {
  return readSeries(item, name).filter(({ value }) => value > 0);
}
