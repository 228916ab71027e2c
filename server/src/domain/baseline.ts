// What is usual for a person: a mean and a spread of the days before one, recent days counting more, outliers tamed.
// While data are few the spread leans on that of people in general.

export type BaselineRule = {
  readonly windowDays: number;
  /** After so many days a value counts half. */
  readonly halfLifeDays: number;
  /** The spread of people in general. */
  readonly priorSpread: number;
  /** `log`: what counts is by how much in proportion a value differs. Mean and spread are then of natural logarithms. */
  readonly scale?: 'linear' | 'log';
};

export type Baseline = { readonly mean: number; readonly spread: number };

const NIGHTLY = { windowDays: 60, halfLifeDays: 14 };
/** Days differ more than nights and habits change: a shorter memory. */
const WAKING = { windowDays: 28, halfLifeDays: 7 };

export const NIGHT_HRV_RULE: BaselineRule = { ...NIGHTLY, priorSpread: 0.15, scale: 'log' };
export const RESTING_HEART_RATE_RULE: BaselineRule = { ...NIGHTLY, priorSpread: 2.5 };
export const RESPIRATORY_RATE_RULE: BaselineRule = { ...NIGHTLY, priorSpread: 0.6 };
export const NIGHT_TEMPERATURE_RULE: BaselineRule = { ...NIGHTLY, priorSpread: 0.25 };
export const STRAIN_RULE: BaselineRule = { ...NIGHTLY, priorSpread: 12 };
export const WAKING_HEART_RATE_RULE: BaselineRule = { ...WAKING, priorSpread: 4 };
export const WAKING_HRV_RULE: BaselineRule = { ...WAKING, priorSpread: 0.2, scale: 'log' };

/** So many values in so many days, or there is no baseline. */
export const MIN_BASELINE_VALUES = 5;
export const RECENT_DAYS = 14;
const MAX_DEVIATIONS = 3;
/** Makes the median deviation of a normal distribution its standard deviation. */
const MAD_SCALE = 1.4826;
const PRIOR_WEIGHT = 7;

/** `valueBefore(n)`: the value n days before the day in question, or null. */
export function findBaseline(rule: BaselineRule, valueBefore: (days: number) => number | null): Baseline | null {
  const known = listKnown(rule, valueBefore);
  if (known.filter(({ age }) => age <= RECENT_DAYS).length < MIN_BASELINE_VALUES) return null;
  const center = median(known.map(({ value }) => value));
  const deviation = MAD_SCALE * median(known.map(({ value }) => Math.abs(value - center)));
  const reach = MAX_DEVIATIONS * Math.max(deviation, rule.priorSpread / 2);
  const weighed = known.map(({ age, value }) => ({
    value: Math.min(center + reach, Math.max(center - reach, value)),
    weight: 2 ** (-age / rule.halfLifeDays),
  }));
  const total = sumOf(weighed, ({ weight }) => weight);
  const mean = sumOf(weighed, ({ value, weight }) => value * weight) / total;
  const variance = sumOf(weighed, ({ value, weight }) => weight * (value - mean) ** 2) / total;
  const count = total ** 2 / sumOf(weighed, ({ weight }) => weight ** 2);
  const joined = (PRIOR_WEIGHT * rule.priorSpread ** 2 + count * variance) / (PRIOR_WEIGHT + count);
  return { mean, spread: Math.max(Math.sqrt(joined), rule.priorSpread / 2) };
}

/** How many spreads a value lies above its mean. */
export function standardize(rule: BaselineRule, value: number, { mean, spread }: Baseline): number {
  return (toScale(rule, value) - mean) / spread;
}

function listKnown(rule: BaselineRule, valueBefore: (days: number) => number | null) {
  const known: { age: number; value: number }[] = [];
  for (let age = 1; age <= rule.windowDays; age++) {
    const value = valueBefore(age);
    if (value !== null) known.push({ age, value: toScale(rule, value) });
  }
  return known;
}

function toScale({ scale }: BaselineRule, value: number): number {
  return scale === 'log' ? Math.log(value) : value;
}

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort(); // by number, and without a comparison in JavaScript
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

function sumOf<One>(list: readonly One[], read: (one: One) => number): number {
  return list.reduce((sum, one) => sum + read(one), 0);
}
