// Whether the times of a device record are possible. The functions name the problem, and the caller decides: an upload
// rejects the item and names the field, a sync drops the value and counts it.
import { EARLIEST_MS, MAX_SAMPLE_MS, MAX_SLEEP_MS, MAX_WORKOUT_MS, ROUNDING_MS } from '../metrics/record-limits.ts';
import type { Interval } from '../time/intervals.ts';

/** `invalid`: NaN, which is not a time. */
export type TimeProblem = 'invalid' | 'in_future' | 'too_early';

export function findTimeProblem(ms: number, latestMs: number): TimeProblem | null {
  if (ms >= EARLIEST_MS && ms <= latestMs) return null;
  if (Number.isNaN(ms)) return 'invalid';
  return ms > latestMs ? 'in_future' : 'too_early';
}

export type LengthProblem = 'end_before_start' | 'too_long';

export const MAX_SESSION_MS = { sleep: MAX_SLEEP_MS, workout: MAX_WORKOUT_MS } as const;

export function findSessionLengthProblem(kind: 'sleep' | 'workout', { start, end }: Interval): LengthProblem | null {
  if (!(end > start)) return 'end_before_start';
  return end - start > MAX_SESSION_MS[kind] ? 'too_long' : null;
}

/** A sample may be an instant. */
export function findSampleLengthProblem(start: number, end: number): LengthProblem | null {
  if (!(end >= start)) return 'end_before_start';
  return end - start > MAX_SAMPLE_MS ? 'too_long' : null;
}

/** Takes numbers and returns no object, because uploads have thousands of samples. */
export function isSampleTimely(start: number, end: number, latestMs: number): boolean {
  return (
    findTimeProblem(start, latestMs) === null &&
    findTimeProblem(end, latestMs) === null &&
    findSampleLengthProblem(start, end) === null
  );
}

/** Whether a part, such as a stage or a heart rate, is within its session. */
export function isInside(session: Interval, start: number, end: number): boolean {
  return start >= session.start - ROUNDING_MS && end <= session.end + ROUNDING_MS;
}
