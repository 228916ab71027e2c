// Statistics over several nights. Lists are latest first, including the night itself; null: unknown.

export type Nights = readonly (number | null)[];

export const REGULARITY_NIGHTS = 14;
const MIN_REGULARITY_NIGHTS = 5;
export const WEEK_NIGHTS = 7;
/**
 * Three nights per week are enough for a weekly mean of heart rate variability (Plews 2014); we require the same for
 * sleep.
 */
const MIN_WEEK_NIGHTS = 3;
const MINUTES_PER_RADIAN = 1_440 / (2 * Math.PI);

/** Circular standard deviation of mid-sleep in minutes, because 23:50 and 00:10 are close. */
export function spreadOfMidSleep(midSleepMinutes: Nights): number | null {
  const known = midSleepMinutes.slice(0, REGULARITY_NIGHTS).filter((minutes) => minutes !== null);
  if (known.length < MIN_REGULARITY_NIGHTS) return null;
  const angles = known.map((minutes) => minutes / MINUTES_PER_RADIAN);
  const resultant = Math.hypot(mean(angles.map(Math.cos)), mean(angles.map(Math.sin)));
  // For equal nights the resultant can exceed 1 by the last bits, and the root must not become NaN.
  return MINUTES_PER_RADIAN * Math.sqrt(Math.max(0, -2 * Math.log(resultant)));
}

/** Mean shortfall of the nights of the last seven days in minutes; a long night does not compensate. */
export function averageSleepDebt(asleepMinutes: Nights, targetMinutes: number): number | null {
  return averageWeek(asleepMinutes, (minutes) => Math.max(0, targetMinutes - minutes));
}

/** Geometric mean of the last seven nights. */
export function averageWeekHrv(hrvMs: Nights): number | null {
  const meanLog = averageWeek(hrvMs, Math.log);
  return meanLog === null ? null : Math.exp(meanLog);
}

function averageWeek(nights: Nights, read: (value: number) => number): number | null {
  const known = nights.slice(0, WEEK_NIGHTS).filter((value) => value !== null);
  return known.length < MIN_WEEK_NIGHTS ? null : mean(known.map(read));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
