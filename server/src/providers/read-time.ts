// Times as providers tell them: with an offset, as seconds since 1970, or in a zone by name.
import { isTimeZoneName, type LocalDate, parseLocalDate } from '../domain/calendar.ts';
import { createZone } from '../domain/day.ts';
import { parseInstant, readOffsetMinutes } from '../domain/parse-instant.ts';
import type { EpochMs } from '../domain/records.ts';
import { ProviderAnswerError } from './contract.ts';
import { type JsonObject, readNumber, readText } from './read-json.ts';

export type Moment = { readonly ms: EpochMs; readonly offsetMinutes: number };

/** Beside the one form that nearly all write, and that has a parser of its own: without seconds, or +0100. */
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;
const OFFSET = /^([+-])(\d{2}):?(\d{2})$/;

/** ISO 8601 with an offset: a time without one names no moment. */
export function readMoment(item: JsonObject, name: string): Moment | null {
  const text = readText(item, name);
  return text === null ? null : parseMoment(text, name);
}

export function parseMoment(text: string, what: string): Moment {
  const told = parseInstant(text);
  if (!Number.isNaN(told)) return { ms: told as EpochMs, offsetMinutes: readOffsetMinutes(text) };
  const offset = WITH_OFFSET.exec(text)?.[3];
  const ms = Date.parse(text);
  if (offset === undefined || Number.isNaN(ms)) throw new ProviderAnswerError(`${what} is no time with an offset`);
  return { ms: ms as EpochMs, offsetMinutes: parseOffset(offset, what) };
}

/** Z, +01:00 or +0100. */
export function parseOffset(text: string, what: string): number {
  if (text === 'Z') return 0;
  const [, sign, hours, minutes] = OFFSET.exec(text) ?? [];
  if (sign === undefined) throw new ProviderAnswerError(`${what} is no offset`);
  const total = Number(hours) * 60 + Number(minutes);
  return sign === '-' && total !== 0 ? -total : total;
}

/** Seconds since 1970. */
export function readEpochSeconds(item: JsonObject, name: string): EpochMs | null {
  const seconds = readNumber(item, name);
  return seconds === null ? null : ((seconds * 1_000) as EpochMs);
}

export function readDate(item: JsonObject, name: string): LocalDate | null {
  const text = readText(item, name);
  if (text === null) return null;
  const date = parseLocalDate(text);
  if (date === null) throw new ProviderAnswerError(`${name} is no date`);
  return date;
}

/** What the clock on the wall is ahead of UTC by, there and then. */
export function offsetAt(zone: string, ms: number): number {
  return createZone(zone).offsetMinutesAt(ms);
}

/** The zone that a provider names, or the person's where it names none that there is. */
export function readZone(item: JsonObject, name: string, otherwise: string): string {
  const zone = readText(item, name);
  return zone !== null && isTimeZoneName(zone) ? zone : otherwise;
}
