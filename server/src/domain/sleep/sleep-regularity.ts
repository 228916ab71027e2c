// Sleep regularity index (Phillips 2017): how often a user was in the same state, asleep or awake, at the same local
// minute of two consecutive days. 100: always the same; 0: random; -100: always the opposite.

import type { SleepInterval } from '../scores/day-inputs.ts';
import { DAY_MINUTES } from '../time/durations.ts';
import { joinIntervals } from '../time/intervals.ts';

type SleepRegularity = {
  readonly index: number;
  /** Consecutive days that were compared. */
  readonly pairs: number;
};

/** Two weeks, so that it includes two weekends. */
export const REGULARITY_DAYS = 14;
/** Seven consecutive days have six pairs; the index is defined for a week or more. */
const MIN_REGULARITY_PAIRS = 6;

/** Days are compared from noon to noon, so that a night is not cut. */
const NOON_MINUTE = 720;

/** The sleeps of each date, latest date first. Null: the night of that date is unknown, which does not mean awake. */
export function findSleepRegularity(dates: readonly (readonly SleepInterval[] | null)[]): SleepRegularity | null {
  const days = cutIntoDays(joinSleeps(dates));
  let [pairs, different] = [0, 0];
  for (let before = 0; before + 1 < REGULARITY_DAYS; before += 1) {
    if ((dates[before] ?? null) === null || (dates[before + 1] ?? null) === null) continue;
    pairs += 1;
    different += countDifferent(days.get(before) ?? [], days.get(before + 1) ?? []);
  }
  return pairs < MIN_REGULARITY_PAIRS ? null : { index: 100 - (200 * different) / (pairs * DAY_MINUTES), pairs };
}

/** Disjoint intervals, ascending, in minutes after the midnight that begins the latest date. */
function joinSleeps(dates: readonly (readonly SleepInterval[] | null)[]): SleepInterval[] {
  const sleeps = dates.flatMap((ofDate, before) =>
    (ofDate ?? []).map(([start, end]) => ({ start: start - before * DAY_MINUTES, end: end - before * DAY_MINUTES })),
  );
  return joinIntervals(sleeps).map(({ start, end }) => [start, end]);
}

/**
 * By days before the latest date: the intervals from the noon before to the noon of that date, in minutes after the
 * first.
 */
function cutIntoDays(intervals: readonly SleepInterval[]): Map<number, SleepInterval[]> {
  const days = new Map<number, SleepInterval[]>();
  for (const [start, end] of intervals) {
    for (let before = daysBeforeOf(start); before >= daysBeforeOf(end - 1); before -= 1) {
      const noon = -NOON_MINUTE - before * DAY_MINUTES;
      const part: SleepInterval = [Math.max(0, start - noon), Math.min(DAY_MINUTES, end - noon)];
      days.getOrInsertComputed(before, () => []).push(part);
    }
  }
  return days;
}

/** The noon-to-noon day that contains the minute. */
function daysBeforeOf(minute: number): number {
  return -Math.floor((minute + NOON_MINUTE) / DAY_MINUTES);
}

/** Minutes that are in only one of the two. */
function countDifferent(a: readonly SleepInterval[], b: readonly SleepInterval[]): number {
  let different = 0;
  for (const [start, end] of [...a, ...b]) different += end - start;
  for (const [start, end] of a)
    for (const [from, to] of b) different -= 2 * Math.max(0, Math.min(end, to) - Math.max(start, from));
  return different;
}
