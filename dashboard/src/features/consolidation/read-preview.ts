// What a preview shows of the changes: the metrics, the days, the week and the day that changes most. Pure.
import type { Editor, Preview } from './queries.ts';

export type Change = Preview['changes'][number];
export type MetricFormat = { readonly name: string; readonly unit: string; readonly decimals: number };
type ScoreType = Preview['scores'][number]['type'];

/** Metrics that change, those with most days first. */
export function listChangedMetrics(changes: readonly Change[]): { readonly metric: string; readonly days: number }[] {
  return [...Map.groupBy(changes, ({ metric }) => metric)]
    .map(([metric, ofMetric]) => ({ metric, days: ofMetric.length }))
    .toSorted((a, b) => b.days - a.days);
}

/** The wanted one, else a metric of the key, else any. */
export function pickMetric(
  changes: readonly Change[],
  own: readonly string[],
  wanted: string | undefined,
): string | undefined {
  const changed = listChangedMetrics(changes).map(({ metric }) => metric);
  return changed.find((metric) => metric === wanted) ?? changed.find((metric) => own.includes(metric)) ?? changed[0];
}

/** Newest first. */
export function listChanges(changes: readonly Change[], metric: string | undefined): Change[] {
  return changes.filter((change) => change.metric === metric).toSorted((a, b) => (a.date < b.date ? 1 : -1));
}

export function findLargest(changes: readonly Change[]): Change | undefined {
  const sizeOf = ({ from, to }: Change) => Math.abs((to ?? 0) - (from ?? 0));
  return changes.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
}

/** The week with the changed days replaced. */
export function applyChanges(
  dates: readonly string[],
  values: readonly (number | null)[],
  changes: readonly Change[],
): (number | null)[] {
  const after = new Map(changes.map(({ date, to }) => [date, to]));
  return dates.map((date, index) => after.get(date) ?? (after.has(date) ? null : (values[index] ?? null)));
}

/** A metric that is computed from others has no key, and so no format of its own. */
export function formatOf({ keys }: Pick<Editor, 'keys'>, metric: string): MetricFormat {
  const found = keys.flatMap(({ metrics }) => metrics).find((one) => one.metric === metric);
  const name = metric.replaceAll('_', ' ');
  return found ?? { name: name.charAt(0).toUpperCase() + name.slice(1), unit: '', decimals: 1 };
}

/** How many days of each score change, and by how much at most. */
export function summarizeScores(
  scores: Preview['scores'],
): { readonly type: ScoreType; readonly days: number; readonly most: Preview['scores'][number] }[] {
  return [...Map.groupBy(scores, ({ type }) => type)].map(([type, ofType]) => ({
    type,
    days: ofType.length,
    most: ofType.reduce((best, one) => (sizeOfScore(one) > sizeOfScore(best) ? one : best)),
  }));
}

function sizeOfScore({ from, to }: Preview['scores'][number]): number {
  return from === null || to === null ? Number.POSITIVE_INFINITY : Math.abs(to - from);
}

type QuarterHours = readonly { readonly counted: readonly (number | null)[] }[];

/** Quarter hours that count in one and not in the other. */
export function compareQuarters(
  now: QuarterHours,
  after: QuarterHours,
): { readonly added: number; readonly dropped: number } {
  const [before, then] = [findCounted(now), findCounted(after)];
  return {
    added: [...then].filter((index) => !before.has(index)).length,
    dropped: [...before].filter((index) => !then.has(index)).length,
  };
}

function findCounted(rows: QuarterHours): Set<number> {
  return new Set(rows.flatMap(({ counted }) => counted.flatMap((value, index) => (value === null ? [] : [index]))));
}
