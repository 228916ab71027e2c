// Whether the numbers of a device record are possible.

import type { ValueRange } from '../metrics/index.ts';
import { MINUTES_TOLERANCE } from '../metrics/record-limits.ts';
import { MINUTE_MS } from '../time/durations.ts';
import type { Interval } from '../time/intervals.ts';

export type Limit = ValueRange & { readonly unit: string };

/** False for NaN. */
export function isWithin(value: number, { min, max }: ValueRange): boolean {
  return value >= min && value <= max;
}

/** The fields whose number is impossible. Null: not reported, so not a problem. */
export function findOutOfRange<Field extends string>(
  values: Readonly<Record<Field, number | null>>,
  limits: Readonly<Record<Field, Limit>>,
): Field[] {
  return (Object.keys(limits) as Field[]).filter((field) => {
    const value = values[field];
    return value !== null && !isWithin(value, limits[field]);
  });
}

/** Minutes that are a part of a session. */
export function limitOfMinutes({ start, end }: Interval): Limit {
  return { min: 0, max: (end - start) / MINUTE_MS + MINUTES_TOLERANCE, unit: 'min' };
}
