// When a result took place. `date` is the local time at the end of the workout, as Concept2's documentation says and clients
// report; the start follows from the time of work and rest. https://log.concept2.com/developers/documentation/#logbook-users-results
import type { EpochMs } from '../../domain/records/records.ts';
import { type JsonObject, readText, required } from '../read-json.ts';
import { offsetAt, parseLocalTime, readLastingMs, readZone } from '../read-time.ts';
import { readOptional } from '../unreadable-fields.ts';

export const TENTHS_MS = 100;

export type ResultTime = {
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly offsetMinutes: number;
  /** Without rests. */
  readonly workMs: number;
  readonly restMs: number;
};

/** `zone`: of the user, for a result without `timezone`: old results, and ergs without a phone. */
export function readResultTime(result: JsonObject, zone: string): ResultTime {
  const workMs = required(readLastingMs(result, 'time', TENTHS_MS), 'time');
  const restMs = readLastingMs(result, 'rest_time', TENTHS_MS) ?? 0;
  const place = readZone(result, 'timezone', zone);
  const local = readLocal(result, 'date');
  const utc = readLocal(result, 'date_utc');
  const isDateOnly = local?.endsWith('T00:00:00') === true;
  const known =
    isDateOnly || utc === null ? toInstant(required(local, 'date'), place) : parseLocalTime(utc, 'date_utc');
  // A result that was entered with its date alone is at midnight. It begins there, or it would belong to the day before.
  const start = Math.round(isDateOnly ? known : known - workMs - restMs) as EpochMs;
  const end = Math.round(isDateOnly ? known + workMs + restMs : known) as EpochMs;
  return { start, end, offsetMinutes: offsetAt(place, start), workMs, restMs };
}

/** `2026-03-02 07:05:10`, or with a T. */
function readLocal(result: JsonObject, name: string): string | null {
  const text = readText(result, name)?.replace(' ', 'T') ?? null;
  if (text === null) return null;
  return readOptional(name, () => (Number.isFinite(parseLocalTime(text, name)) ? text : null));
}

/** If clocks go back, the first occurrence; a skipped time is read after the gap. */
function toInstant(local: string, zone: string): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;
}
