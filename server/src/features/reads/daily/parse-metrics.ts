// The metrics that a request names. Form 1 accepts scores if they are named, Form 2 does not (gap G-30).
import { findMetric, METRICS, type Metric } from '../../../domain/metrics/index.ts';
import type { ErrorCode } from '../../../platform/error-codes.ts';
import { AppError } from '../../../platform/errors.ts';
import { parseIdList } from '../shared/index.ts';

const PUBLIC_DAILY: readonly Metric[] = METRICS.filter((metric) => !isScore(metric));
const indexes = new Map(METRICS.map((metric, index) => [metric, index]));

/** In the order of the catalog, not of the request. */
export function parseForm1Metrics(text: string | undefined): readonly Metric[] {
  if (text === undefined) return PUBLIC_DAILY;
  const metrics = parseMetrics(text, 'invalid_metric', () => true);
  return metrics.sort((a, b) => (indexes.get(a) ?? 0) - (indexes.get(b) ?? 0));
}

/** In the requested order. */
export function parseForm2Types(text: string | undefined): readonly Metric[] {
  if (text === undefined) return PUBLIC_DAILY;
  return parseMetrics(text, 'invalid_types', (metric) => !isScore(metric));
}

/** Scores have an explain endpoint of their own. */
export function parseExplainable(id: string): Metric {
  const metric = findMetric(id.trim());
  if (metric === null || metric.consolidation.by === 'computed')
    throw new AppError('invalid_metric', { details: { unsupported: [id] } });
  return metric;
}

function parseMetrics(text: string, code: ErrorCode, isServed: (metric: Metric) => boolean): Metric[] {
  const ids = parseIdList(text);
  const metrics = ids.map(findMetric).filter((metric) => metric !== null && isServed(metric)) as Metric[];
  if (metrics.length === 0 || metrics.length < ids.length) {
    const served = new Set<string>(metrics.map(({ id }) => id));
    throw new AppError(code, { details: { unsupported: ids.filter((id) => !served.has(id)) } });
  }
  return metrics;
}

function isScore(metric: Metric): boolean {
  return metric.category === 'scores';
}
