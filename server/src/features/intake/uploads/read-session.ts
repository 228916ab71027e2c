// Reads the fields that sleeps and workouts share: key, start, end and recording method.

import { MAX_TEXT_LENGTH } from '../../../domain/metrics/record-limits.ts';
import { findSessionLengthProblem, type LengthProblem, MAX_SESSION_MS } from '../../../domain/records/check-times.ts';
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

export function readSession(item: Item, kind: 'sleep' | 'workout', latestMs: number): SessionFrame | null {
  const id = readText(item, 'id', MAX_TEXT_LENGTH);
  const period = readPeriod(item, latestMs);
  if (period === null) return null;
  const problem = findSessionLengthProblem(kind, period);
  if (problem !== null) return failLength(item, problem, kind);
  return {
    key: sessionKey(id ?? (item.fields.start as string)),
    ...period,
    offsetMinutes: readOffsetMinutes(item.fields.start as string),
    method: readChoice(item, 'recording_method', RECORDING_METHODS) ?? 'unknown',
  };
}

/** Normalizes a key that is a time, because a session without an id is identified by its start, whatever its offset. */
export function sessionKey(text: string): string {
  const moment = parseInstant(text);
  return Number.isNaN(moment) ? text : formatInstant(new Date(moment));
}

/** `kind` has a limit; a stage has none but its sleep. */
export function failLength(item: Item, problem: LengthProblem, kind: 'sleep' | 'workout' | 'stage'): null {
  if (problem === 'end_before_start' || kind === 'stage')
    return fail(item, 'end', 'end_before_start', 'must be after the start');
  return fail(item, 'end', 'too_long', `lasts longer than ${MAX_SESSION_MS[kind] / HOUR_MS} hours`);
}

/** Reads a start and an end; the caller checks their order. */
export function readPeriod(item: Item, latestMs: number): { start: EpochMs; end: EpochMs } | null {
  const start = required(item, 'start', readTime(item, 'start', latestMs));
  const end = required(item, 'end', readTime(item, 'end', latestMs));
  return start === null || end === null ? null : { start, end };
}
