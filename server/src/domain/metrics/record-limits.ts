// Limits for all device records, uploaded or fetched: too old, too far in the future, too long, physically impossible
// (gap G-52).
import { findUnstorable } from '../storable-text.ts';
import { DAY_MS, HOUR_MS } from '../time/durations.ts';
import type { Metric } from './index.ts';

/** The earliest birth date that a profile accepts (gap G-16); no measurement is older. */
export const EARLIEST_MS = Date.UTC(1900, 0, 1);
/** Allows for phone clocks that run ahead and for wrong zones. */
export const MAX_AHEAD_MS = 24 * HOUR_MS;
/**
 * A weekly burden or walking steadiness is one sample. Anything longer than a month is a broken clock, and would affect
 * thousands of days.
 */
export const MAX_SAMPLE_MS = 31 * DAY_MS;
/** The catalog's limit of time in bed and time asleep on one day; a longer record cannot belong to a day. */
export const MAX_SLEEP_MS = 24 * HOUR_MS;
/** The longest mountain races allow 150 hours. */
export const MAX_WORKOUT_MS = 7 * DAY_MS;
/** Devices round the times of a session and of its parts to seconds independently. */
export const ROUNDING_MS = 1_000;
/** Reported minutes are rounded. */
export const MINUTES_TOLERANCE = 1;

/** For names, models and record ids: twice what any platform writes, and short enough for an index entry. */
export const MAX_TEXT_LENGTH = 255;
export const MAX_WORD_LENGTH = 64;

export function findTextProblem(text: string, maxLength: number): string | null {
  if (text === '' || text.length > maxLength) return `must have 1 to ${maxLength} characters`;
  return findUnstorable(text);
}

/** Only the service computes these metrics; devices cannot send them. */
export function isComputed({ consolidation: { by } }: Metric): boolean {
  return by === 'derived' || by === 'computed';
}

/**
 * Derived totals that a provider may still report, because some count active and resting energy together (gap G-230).
 */
const STATED_TOTALS: ReadonlySet<string> = new Set(['total_calories']);

/** Scores that some devices measure as a series, which then replaces the computed samples (gap G-123). */
const MEASURED_SCORES: ReadonlySet<string> = new Set(['stress_score']);

/** Whether a provider's daily value is accepted. Uploads send the parts of a total instead. */
export function isTakenFromProviders(metric: Metric): boolean {
  if (metric.category === 'scores') return false;
  return !isComputed(metric) || STATED_TOTALS.has(metric.id);
}

/** Whether a provider's samples are accepted. */
export function isSampledByProviders(metric: Metric): boolean {
  return isTakenFromProviders(metric) || MEASURED_SCORES.has(metric.id);
}
