// A scoring queue entry: the days of a user to score again, and how soon. Pure.

import type { DateRange } from '../../../domain/time/calendar.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';

export type QueueEntry = {
  readonly days: readonly DateRange[];
  /** When strain, stress and energy of the current day were last computed. */
  readonly dayScoredAt: Date | null;
};

/**
 * `paced`: data of the current day, whose scores are computed at intervals. `soon`: data of the night or of another day.
 * `decided`: a change by a user or operator; scores of the current day do not wait either.
 */
export type ScoringUrgency = 'paced' | 'soon' | 'decided';

/** Scores of the current day change no more often (specification, "What the service does" 10). */
export const DAY_SCORES_EVERY_MS = 4 * HOUR_MS;
/** Changes within this time are scored in one run. */
export const JOIN_MS = 1_000;
