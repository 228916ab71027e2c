// Which metrics the page shows. Pure.
import type { Daily, Metric } from './queries.ts';
import { FIRST_METRICS } from './words.ts';

type Wanted = { readonly category?: string; readonly q?: string };

/** Metrics with values: those that most people look for first, then in the order of the catalog. */
export function listMetrics(catalog: readonly Metric[], daily: Daily | undefined, { category, q }: Wanted) {
  const known = catalog.filter(({ id }) => daily?.series[id]?.some((value) => value !== null) ?? false);
  const rank = ({ id }: Metric) => (FIRST_METRICS.includes(id) ? FIRST_METRICS.indexOf(id) : FIRST_METRICS.length);
  const text = q?.trim().toLowerCase() ?? '';
  return {
    categories: [...new Set(known.map((metric) => metric.category))],
    metrics: known
      .filter((metric) => category === undefined || metric.category === category)
      .filter(({ id, display_name }) => `${display_name} ${id}`.toLowerCase().includes(text))
      .toSorted((a, b) => rank(a) - rank(b)),
  };
}

const LEAST_DAYS = 7;

/** The first day to draw: a person who came last week does not get an empty month before it. */
export function findFirstDay({ dates, series }: Daily): number {
  const firsts = Object.values(series).map((values) => values.findIndex((value) => value !== null));
  return Math.min(...firsts.filter((index) => index >= 0), Math.max(0, dates.length - LEAST_DAYS));
}
