// Parses the metric lists of connectors: words separated by spaces, checked against the catalog at start.
import { findMetric, type MetricId } from '../domain/metrics/index.ts';

export function metricIds(words: string): readonly MetricId[] {
  return words
    .trim()
    .split(/\s+/)
    .map((word) => {
      const metric = findMetric(word);
      if (metric === null) throw new Error(`unknown metric: ${word}`);
      return metric.id;
    });
}
