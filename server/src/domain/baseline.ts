// What is usual for a person: a mean and a spread of the days before one, recent days counting more, outliers tamed.
// While data are few the spread leans on that of people in general.

export type BaselineRule = {
  readonly windowDays: number;
  /** After so many days a value counts half. */
  readonly halfLifeDays: number;
  /** The spread of people in general. */
  readonly priorSpread: number;
};

export type Baseline = { readonly mean: number; readonly spread: number };

export const RESTING_HEART_RATE_RULE: BaselineRule = { windowDays: 60, halfLifeDays: 14, priorSpread: 2.5 };

/** So many values in so many days, or there is no baseline. */
const MIN_VALUES = 5;
const RECENT_DAYS = 14;
const MAX_DEVIATIONS = 3;
/** Makes the median deviation of a normal distribution its standard deviation. */
const MAD_SCALE = 1.4826;
const PRIOR_WEIGHT = 7;

/** `valueBefore(n)`: the value n days before the day in question, or null. */
export function findBaseline(rule: BaselineRule, valueBefore: (days: number) => number | null): Baseline | null {
  const known = listKnown(rule.windowDays, valueBefore);
  if (known.filter(({ age }) => age <= RECENT_DAYS).length < MIN_VALUES) return null;
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

function listKnown(windowDays: number, valueBefore: (days: number) => number | null) {
  return Array.from({ length: windowDays }, (_, index) => ({ age: index + 1, value: valueBefore(index + 1) })).filter(
    (one): one is { age: number; value: number } => one.value !== null,
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

function sumOf<One>(list: readonly One[], read: (one: One) => number): number {
  return list.reduce((sum, one) => sum + read(one), 0);
}
