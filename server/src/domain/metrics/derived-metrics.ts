// Metrics derived from other canonical values of the same day, so that their sums hold whatever devices contributed.
// Null: not known.
import type { MetricId } from './metric.ts';

type ReadValue = (id: MetricId) => number | null;
type DayRule = {
  readonly formula: string;
  readonly derive: (read: (id: string) => number | null) => number | null;
};

/** In order: a later metric may read an earlier one. */
const RULES: Readonly<Record<string, DayRule>> = {
  intensity_minutes: {
    formula: 'moderate_activity + 2 * vigorous_activity',
    derive: (read) => addKnown(read('moderate_activity'), twice(read('vigorous_activity'))),
  },
  total_calories: {
    formula: 'active_calories + resting_energy',
    derive: (read) => addBoth(read('active_calories'), read('resting_energy')),
  },
  energy_balance: {
    formula: 'dietary_energy - total_calories',
    derive: (read) => addBoth(read('dietary_energy'), minus(read('total_calories'))),
  },
  restorative_sleep: {
    formula: 'deep_sleep + REM',
    derive: (read) => addBoth(read('deep_sleep'), read('REM')),
  },
  sleep_midpoint: {
    formula: '(sleep_start + sleep_end) / 2',
    derive: (read) => half(addBoth(read('sleep_start'), read('sleep_end'))),
  },
  body_fat_mass: {
    formula: 'weight * body_fat_percentage / 100 if no device reports it',
    derive: (read) => partOf(read('weight'), read('body_fat_percentage')),
  },
};

export const DERIVED_METRICS = Object.keys(RULES) as MetricId[];

/** Sums that are computed from their parts if these are known, and otherwise are the total of a source (gap G-230). */
const SUMS_OF_PARTS: ReadonlySet<string> = new Set(['total_calories']);

export function isSumOfParts(id: MetricId): boolean {
  return SUMS_OF_PARTS.has(id);
}

/** Null if no rule derives the metric from values of one day. */
export function findDayFormula(id: MetricId): string | null {
  return RULES[id]?.formula ?? null;
}

/** The total that a source reported, passed as the present value, is kept if there is one. */
export function deriveMetric(id: MetricId, read: ReadValue): number | null {
  return RULES[id]?.derive((name) => read(name as MetricId)) ?? null;
}

const twice = (value: number | null) => (value === null ? null : 2 * value);
const half = (value: number | null) => (value === null ? null : value / 2);
const minus = (value: number | null) => (value === null ? null : -value);

function partOf(whole: number | null, percent: number | null): number | null {
  return whole === null || percent === null ? null : (whole * percent) / 100;
}

function addBoth(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

function addKnown(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0);
}
