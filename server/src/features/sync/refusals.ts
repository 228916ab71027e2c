// What of a provider's page was not taken, counted by reason: never in silence, and never with a value.
import type { MetricId } from '../../domain/metrics/index.ts';

export type RefusalReason =
  | 'computed_metric'
  | 'unit'
  | 'out_of_range'
  | 'time'
  | 'too_long'
  | 'bad_key'
  | 'bad_stages'
  | 'contradictory_totals'
  | 'too_dense';

/** By what it is of ("steps", "sleep") and why. */
export type Refusals = Map<string, number>;

export function refuse(
  refusals: Refusals,
  what: MetricId | 'sleep' | 'workout',
  reason: RefusalReason,
  count = 1,
): void {
  const key = `${what} ${reason}`;
  refusals.set(key, (refusals.get(key) ?? 0) + count);
}

export function countRefused(refusals: Refusals): number {
  return refusals.values().reduce((sum, count) => sum + count, 0);
}
