// The baseline of a user: mean and spread of the days before, with more weight on recent days and limited outliers.
// With few values the spread is close to the population's.
import { median } from './median.ts';

export type BaselineRule = {
  readonly windowDays: number;
  /** After this many days a value counts half. */
  readonly halfLifeDays: number;
  /** The spread of the population. */
  readonly priorSpread: number;
  /** `log`: values are compared by ratio. Mean and spread are then of natural logarithms. */
  readonly scale?: 'linear' | 'log';
};

export type Baseline = { readonly mean: number; readonly spread: number };

const NIGHTLY = { windowDays: 60, halfLifeDays: 14 };
/** Days vary more than nights and habits change, so the memory is shorter. */
const WAKING = { windowDays: 28, halfLifeDays: 7 };

export const NIGHT_HRV_RULE: BaselineRule = { ...NIGHTLY, priorSpread: 0.15, scale: 'log' };
export const RESTING_HEART_RATE_RULE: BaselineRule = { ...NIGHTLY, priorSpread: 2.5 };
export const RESPIRATORY_RATE_RULE: BaselineRule = { ...NIGHTLY, priorSpread: 0.6 };
export const NIGHT_TEMPERATURE_RULE: BaselineRule = { ...NIGHTLY, priorSpread: 0.25 };
export const STRAIN_RULE: BaselineRule = { ...NIGHTLY, priorSpread: 12 };
export const WAKING_HEART_RATE_RULE: BaselineRule = { ...WAKING, priorSpread: 4 };
export const WAKING_HRV_RULE: BaselineRule = { ...WAKING, priorSpread: 0.2, scale: 'log' };

export const LONGEST_WINDOW_DAYS = Math.max(NIGHTLY.windowDays, WAKING.windowDays);

/** Fewer values within the recent days give no baseline. */
export const MIN_BASELINE_VALUES = 5;
export const RECENT_DAYS = 14;
const MAX_DEVIATIONS = 3;
/** Scales the median absolute deviation of a normal distribution to its standard deviation. */
const MAD_SCALE = 1.4826;
const PRIOR_WEIGHT = 7;

/** `valueBefore(n)`: the value n days before the day, or null. */
export function findBaseline(rule: BaselineRule, valueBefore: (days: number) => number | null): Baseline | null {
  const { windowDays, halfLifeDays, priorSpread } = rule;
  let count = 0;
  let recent = 0;
  for (let age = 1; age <= windowDays; age += 1) {
    const value = valueBefore(age);
    if (value === null) continue;
    ages[count] = age;
    values[count] = toScale(rule, value);
    count += 1;
    if (age <= RECENT_DAYS) recent += 1;
  }
  if (recent < MIN_BASELINE_VALUES) return null;
  const center = medianOf(count, (index) => values[index] as number);
  const deviation = MAD_SCALE * medianOf(count, (index) => Math.abs((values[index] as number) - center));
  const reach = MAX_DEVIATIONS * Math.max(deviation, priorSpread / 2);
  let total = 0;
  let squares = 0;
  let sum = 0;
  for (let index = 0; index < count; index += 1) {
    const weight = 2 ** (-(ages[index] as number) / halfLifeDays);
    const tamed = Math.min(center + reach, Math.max(center - reach, values[index] as number));
    weights[index] = weight;
    values[index] = tamed;
    total += weight;
    squares += weight ** 2;
    sum += tamed * weight;
  }
  const mean = sum / total;
  let variance = 0;
  for (let index = 0; index < count; index += 1)
    variance += (weights[index] as number) * ((values[index] as number) - mean) ** 2;
  const effective = total ** 2 / squares;
  const joined = (PRIOR_WEIGHT * priorSpread ** 2 + (effective * variance) / total) / (PRIOR_WEIGHT + effective);
  return { mean, spread: Math.max(Math.sqrt(joined), priorSpread / 2) };
}

/** The same for a list, latest first: `before[0]` is the day before. */
export function baselineOf(rule: BaselineRule, before: readonly (number | null)[]): Baseline | null {
  return findBaseline(rule, (days) => before[days - 1] ?? null);
}

/**
 * Buffers are reused because this runs about ten times per user and day. It is safe because nothing here is
 * asynchronous.
 */
const ages = new Float64Array(LONGEST_WINDOW_DAYS);
const values = new Float64Array(LONGEST_WINDOW_DAYS);
const weights = new Float64Array(LONGEST_WINDOW_DAYS);
const sorted = new Float64Array(LONGEST_WINDOW_DAYS);

/** How many spreads a value is above the mean. */
export function standardize(rule: BaselineRule, value: number, { mean, spread }: Baseline): number {
  return (toScale(rule, value) - mean) / spread;
}

function toScale({ scale }: BaselineRule, value: number): number {
  return scale === 'log' ? Math.log(value) : value;
}

function medianOf(count: number, read: (index: number) => number): number {
  const some = sorted.subarray(0, count);
  for (let index = 0; index < count; index += 1) some[index] = read(index);
  return median(some);
}
