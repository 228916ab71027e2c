// Lists of metrics as connectors write them: words with spaces between them, checked against the catalog at start.
import { findMetric, type MetricId } from '../domain/metrics/index.ts';

export function metricIds(words: string): readonly MetricId[] {
  return words
    .trim()
    .split(/\s+/)
    .map((word) => {
      const metric = findMetric(word);
      if (metric === null) throw new Error(`no such metric: ${word}`);
      return metric.id;
    });
}
