// Reads times of providers: with an offset, as seconds since 1970, or in a named zone.

import { MAX_SAMPLE_MS } from '../domain/metrics/record-limits.ts';
import type { EpochMs } from '../domain/records/records.ts';
import { isTimeZoneName, type LocalDate, parseLocalDate } from '../domain/time/calendar.ts';
import { createZone } from '../domain/time/day.ts';
import { isOffsetMinutes, parseInstant, parseOffset, readOffsetMinutes } from '../domain/time/parse-instant.ts';
import { ProviderAnswerError } from './provider-answer-error.ts';
import { type JsonObject, readNumber, readText } from './read-json.ts';
import { rejectField } from './unreadable-fields.ts';

export type Moment = { readonly ms: EpochMs; readonly offsetMinutes: number };

/** Less common forms: without seconds, or +0100. */
const WITH_OFFSET = /^(.{10}T\d\d:\d\d)(:.*)?(Z|[+-]\d\d:?\d\d)$/;
const SHORT_OFFSET = /^([+-]\d\d)(\d\d)$/;
/** The last valid date. */
const LATEST_MS = 8.64e15;

/** ISO 8601 with an offset: without one the moment is unknown. */
export function readMoment(item: JsonObject, name: string): Moment | null {
  const text = readText(item, name);
  return text === null ? null : (findMoment(text) ?? rejectField(name, 'is not a time with an offset'));
}

export function parseMoment(text: string, what: string): Moment {
  const moment = findMoment(text);
  if (moment === null) throw new ProviderAnswerError(`${what} is not a time with an offset`);
  return moment;
}

function findMoment(text: string): Moment | null {
  const ms = parseInstant(text);
  if (!Number.isNaN(ms)) return { ms: ms as EpochMs, offsetMinutes: readOffsetMinutes(text) };
  const completed = completeMoment(text);
  return completed === text ? null : findMoment(completed);
}

/** Writes a less common form in the usual one, which `parseInstant` checks. */
function completeMoment(text: string): string {
  const [, minute, seconds = ':00', offset] = WITH_OFFSET.exec(text) ?? [];
  return minute === undefined || offset === undefined ? text : `${minute}${seconds}${completeOffset(offset)}`;
}

function completeOffset(text: string): string {
  return text.replace(SHORT_OFFSET, '$1:$2');
}

/** A local time, in milliseconds as if it were UTC. */
export function parseLocalTime(text: string, what: string): number {
  const moment = findMoment(`${text}Z`);
  if (moment === null) throw new ProviderAnswerError(`${what} is not a local time`);
  return moment.ms;
}

/** Z, +01:00 or +0100, in minutes. */
export function readOffset(item: JsonObject, name: string): number | null {
  const text = readText(item, name);
  if (text === null) return null;
  const minutes = parseOffset(completeOffset(text));
  return Number.isNaN(minutes) ? rejectField(name, 'is not an offset') : minutes;
}

/** In whole minutes, from a field in minutes (1) or seconds (60). Null if the offset is impossible. */
export function readOffsetNumber(item: JsonObject, name: string, perMinute: 1 | 60): number | null {
  const reported = readNumber(item, name);
  if (reported === null) return null;
  const minutes = Math.round(reported / perMinute) + 0; // avoids negative zero
  return isOffsetMinutes(minutes) ? minutes : rejectField(name, 'is not an offset');
}

/** Every time zone is a multiple of a quarter hour from UTC. */
const ZONE_STEP_MINUTES = 15;

/** The offset of a time zone, from a field in minutes. */
export function readZoneOffset(item: JsonObject, name: string): number | null {
  const offsetMinutes = readOffsetNumber(item, name, 1);
  if (offsetMinutes === null || offsetMinutes % ZONE_STEP_MINUTES === 0) return offsetMinutes;
  return rejectField(name, 'is not an offset');
}

/** Seconds since 1970. */
export function readEpochSeconds(item: JsonObject, name: string): EpochMs | null {
  const seconds = readNumber(item, name);
  if (seconds === null) return null;
  return Math.abs(seconds) * 1_000 <= LATEST_MS ? ((seconds * 1_000) as EpochMs) : rejectField(name, 'is not a time');
}

/** A duration in milliseconds, from a field in seconds (1,000), tenths of them (100) or milliseconds (1). */
export function readLastingMs(item: JsonObject, name: string, unitMs: 1 | 100 | 1_000): number | null {
  const reported = readNumber(item, name);
  if (reported === null) return null;
  const isPossible = reported >= 0 && reported * unitMs <= MAX_SAMPLE_MS;
  return isPossible ? reported * unitMs : rejectField(name, 'is not a duration');
}

export function readDate(item: JsonObject, name: string): LocalDate | null {
  const text = readText(item, name);
  return text === null ? null : (parseLocalDate(text) ?? rejectField(name, 'is not a date'));
}

/** The offset of the zone from UTC at that time. */
export function offsetAt(zone: string, ms: number): number {
  return createZone(zone).offsetMinutesAt(ms);
}

/** The provider's zone, or the user's if the provider names none or an unknown one. */
export function readZone(item: JsonObject, name: string, otherwise: string): string {
  const zone = readText(item, name);
  return zone !== null && isTimeZoneName(zone) ? zone : otherwise;
}
