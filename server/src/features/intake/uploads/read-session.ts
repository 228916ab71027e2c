// Reads the fields that sleeps and workouts share: key, start, end and recording method.

import { MAX_TEXT_LENGTH } from '../../../domain/metrics/record-limits.ts';
import { type EpochMs, RECORDING_METHODS, type RecordingMethod } from '../../../domain/records/records.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import { parseInstant, readOffsetMinutes } from '../../../domain/time/parse-instant.ts';
import { fail, type Item, readChoice, readText, readTime, required } from './item.ts';

export type SessionFrame = {
  readonly key: string;
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly offsetMinutes: number;
  readonly method: RecordingMethod;
};

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

/** Normalizes a key that is a time, because a session without an id is identified by its start, whatever its offset. */
export function sessionKey(text: string): string {
  const moment = parseInstant(text);
  return Number.isNaN(moment) ? text : formatInstant(new Date(moment));
}

/** Reads a start and an end that is after it. */
export function readPeriod(item: Item, latestMs: number): { start: EpochMs; end: EpochMs } | null {
  const start = required(item, 'start', readTime(item, 'start', latestMs));
  const end = required(item, 'end', readTime(item, 'end', latestMs));
  if (start === null || end === null) return null;
  return end > start ? { start, end } : fail(item, 'end', 'end_before_start', 'must be after the start');
}
