// The values of a day in the order of the list: those on which devices disagree, then by category. Pure.
import type { Replies } from '../../api/types.gen.ts';

export type DayValue = Replies['explainDayValues']['values'][number];
type ValueGroup = { readonly title: string; readonly values: readonly DayValue[] };

const CATEGORIES: Readonly<Record<string, string>> = {
  activity: 'Activity',
  energy: 'Energy',
  vitals: 'Vitals',
  sleep: 'Sleep',
  body_composition: 'Body',
  nutrition: 'Nutrition',
};

export function groupValues(values: readonly DayValue[], search: string): ValueGroup[] {
  const wanted = search.trim().toLowerCase();
  const found = values.filter(({ name, metric }) => `${name} ${metric}`.toLowerCase().includes(wanted));
  const spreads = new Map(found.map((value) => [value, spreadOf(value)]));
  const spread = (value: DayValue) => spreads.get(value) ?? 0;
  const disagreeing = found.filter((value) => spread(value) > 0).toSorted((a, b) => spread(b) - spread(a));
  const others = found.filter((value) => spread(value) === 0);
  const groups = Object.entries(CATEGORIES).map(([category, title]) => ({
    title,
    values: others.filter((value) => value.category === category),
  }));
  return [{ title: 'Sources disagree', values: disagreeing }, ...groups].filter((group) => group.values.length > 0);
}

/** A smaller difference is one of rounding. */
const MIN_SPREAD = 0.005;

/** How far the values of the devices lie apart, relative to the largest; 0 for times of day that differ by rounding. */
function spreadOf({ candidates, unit }: DayValue): number {
  const values = candidates.flatMap(({ value }) => (value === null ? [] : [value]));
  if (values.length < 2) return 0;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const largest = unit === 'min_of_day' ? 1_440 : Math.max(Math.abs(low), Math.abs(high));
  const spread = largest === 0 ? 0 : (high - low) / largest;
  return spread < MIN_SPREAD ? 0 : spread;
}

/** The value that is explained if none is named: the one that devices disagree on most. */
export function firstMetric(values: readonly DayValue[]): string | null {
  const steps = values.find((value) => value.metric === 'steps' && spreadOf(value) > 0);
  return (steps ?? groupValues(values, '')[0]?.values[0])?.metric ?? null;
}
