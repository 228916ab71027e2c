// What a sleep and a workout have in common: a key, a start and an end, and how the record came about.

import { MAX_TEXT_LENGTH } from '../../../domain/metrics/record-limits.ts';
import { type EpochMs, RECORDING_METHODS, type RecordingMethod } from '../../../domain/records/records.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { parseInstant, readOffsetMinutes } from '../../../domain/time/parse-instant.ts';
import { fail, type Item, readChoice, readText, readTime, required } from './item.ts';

export type SessionFrame = {
  readonly key: string;
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly offsetMinutes: number;
  readonly method: RecordingMethod;
};

export const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export function readSession(item: Item, latestMs: number, maxMs: number): SessionFrame | null {
  const id = readText(item, 'id', MAX_TEXT_LENGTH);
  const period = readPeriod(item, latestMs);
  if (period === null) return null;
  const { start, end } = period;
  if (end - start > maxMs) return fail(item, 'end', 'too_long', `lasts longer than ${maxMs / HOUR_MS} hours`);
  return {
    key: sessionKey(id ?? (item.fields.start as string)),
    start,
    end,
    offsetMinutes: readOffsetMinutes(item.fields.start as string),
    method: readChoice(item, 'recording_method', RECORDING_METHODS) ?? 'unknown',
  };
}

/** A time names the same moment however its offset is written: a session without an id is found by its start as it was sent. */
export function sessionKey(text: string): string {
  const moment = parseInstant(text);
  return Number.isNaN(moment) ? text : formatInstant(new Date(moment));
}

/** A start, and an end after it. */
export function readPeriod(item: Item, latestMs: number): { start: EpochMs; end: EpochMs } | null {
  const start = required(item, 'start', readTime(item, 'start', latestMs));
  const end = required(item, 'end', readTime(item, 'end', latestMs));
  if (start === null || end === null) return null;
  return end > start ? { start, end } : fail(item, 'end', 'end_before_start', 'must lie after the start');
}
