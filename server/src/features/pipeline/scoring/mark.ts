// Which days of a person have to be scored again, and when its turn comes. Pure.

import type { MetricId } from '../../../domain/metrics/index.ts';
import type { DateRange } from '../../../domain/time/calendar.ts';

export type Mark = {
  readonly days: readonly DateRange[];
  /** When strain, stress and energy of the then present day were last worked out. */
  readonly dayScoredAt: Date | null;
};

/**
 * `paced`: data of the present day, whose scores have their hours. `soon`: what is of the night, or of another day.
 * `decided`: a person's decision; what it changes of the present day does not wait either.
 */
export type Urgency = 'paced' | 'soon' | 'decided';

/** Within a day these change no more often (specification, "What the service does" 10). */
export const DAY_SCORES_EVERY_MS = 4 * 3_600_000;
/** What comes shortly after joins. */
export const JOIN_MS = 1_000;

const NIGHT: ReadonlySet<string> = new Set([
  'asleep',
  'resting_heart_rate',
  'sleep_heart_rate_min',
  'sleep_heart_rate_variability',
  'sleep_respiratory_rate',
  'sleep_temperature_deviation',
  'sleep_skin_temperature',
  'sleep_wrist_temperature',
  'sleep_body_temperature',
]);

const BODY: ReadonlySet<string> = new Set(['weight', 'height', 'body_mass_index']);

/** `body_mass_index` follows its inputs at once; what else a weight moves of the present day has time. */
export function isOfBody(metrics: Iterable<MetricId>): boolean {
  for (const metric of metrics) if (BODY.has(metric)) return true;
  return false;
}

/** Sleep and recovery follow the night at once; what else belongs to the present day has time. */
export function isOfNight(metrics: Iterable<MetricId>): boolean {
  for (const metric of metrics) if (NIGHT.has(metric)) return true;
  return false;
}
