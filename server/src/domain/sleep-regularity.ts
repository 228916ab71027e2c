// Sleep regularity index (Phillips 2017): how often a person was in the same state, asleep or awake, at the same wall-clock minute
// of two days in a row. 100: always the same; 0: as chance would have it; -100: always the other.
import type { SleepSpan } from './scores/index.ts';

export type SleepRegularity = {
  readonly index: number;
  /** Of two days in a row that were compared. */
  readonly pairs: number;
};

/** Two weeks, so that two weekends are in it. */
export const REGULARITY_DAYS = 14;
/** Seven days in a row have six pairs: the index is defined for a week or more. */
export const MIN_REGULARITY_PAIRS = 6;

const DAY_MINUTES = 1_440;
/** A day is compared from noon to noon, so that a night is not cut. */
const NOON_MINUTE = 720;

/** The sleeps of each date, latest date first. Null: the night of that date is not known, which does not mean awake. */
export function findSleepRegularity(dates: readonly (readonly SleepSpan[] | null)[]): SleepRegularity | null {
  const asleep = markMinutesAsleep(dates);
  let [pairs, same] = [0, 0];
  for (let before = 0; before + 1 < REGULARITY_DAYS; before += 1) {
    if ((dates[before] ?? null) === null || (dates[before + 1] ?? null) === null) continue;
    pairs += 1;
    const from = (REGULARITY_DAYS - 1 - before) * DAY_MINUTES;
    for (let minute = from; minute < from + DAY_MINUTES; minute += 1)
      if (asleep[minute] === asleep[minute - DAY_MINUTES]) same += 1;
  }
  return pairs < MIN_REGULARITY_PAIRS ? null : { index: (200 * same) / (pairs * DAY_MINUTES) - 100, pairs };
}

/** 1 is asleep. From the noon before the first night to the noon after the last. */
function markMinutesAsleep(dates: readonly (readonly SleepSpan[] | null)[]): Uint8Array {
  const asleep = new Uint8Array(REGULARITY_DAYS * DAY_MINUTES);
  // One date more: its sleeps of the afternoon are after the first noon.
  for (let before = 0; before <= REGULARITY_DAYS; before += 1) {
    const noon = (REGULARITY_DAYS - before) * DAY_MINUTES - NOON_MINUTE;
    for (const [start, end] of dates[before] ?? []) asleep.fill(1, Math.max(0, noon + start), Math.max(0, noon + end));
  }
  return asleep;
}
