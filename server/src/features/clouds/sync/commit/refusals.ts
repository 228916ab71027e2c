// Counts the values of provider pages that were dropped, by reason and without the values.

type RefusalReason =
  | 'computed_metric'
  | 'unit'
  | 'out_of_range'
  | 'time'
  | 'too_long'
  | 'bad_key'
  | 'bad_text'
  | 'bad_stages'
  | 'contradictory_totals'
  | 'too_dense'
  | 'unreadable';

/** By item and reason. The item is a metric ("steps"), "sleep", "workout", "record", or a field by the provider's name. */
export type Refusals = Map<string, number>;

export function refuse(refusals: Refusals, what: string, reason: RefusalReason, count = 1): void {
  const key = `${what} ${reason}`;
  refusals.set(key, (refusals.get(key) ?? 0) + count);
}

export function countRefused(refusals: Refusals): number {
  return refusals.values().reduce((sum, count) => sum + count, 0);
}
