// Splits a range into batches of about `BATCH_SAMPLES` samples, so that memory use depends neither on the range nor on the density, and
// one query reads many sparse metrics. Pure.
import type { Metric, MetricId } from '../../../domain/metrics/index.ts';
import type { BlockCount } from '../../store/samples/index.ts';

/** [fromMs, toMs) of one metric. */
export type MetricInterval = { readonly metric: Metric; readonly fromMs: number; readonly toMs: number };
export type ReadBatch = readonly MetricInterval[];

/** Takes a few milliseconds to decode and write, and gives about two megabytes of JSON. */
const BATCH_SAMPLES = 20_000;

/** In the order of the response. The intervals of a metric are contiguous and meet where a block begins. */
export function planBatches(
  metrics: readonly Metric[],
  counts: ReadonlyMap<MetricId, readonly BlockCount[]>,
  range: { readonly fromMs: number; readonly toMs: number },
  batchSamples = BATCH_SAMPLES,
): ReadBatch[] {
  const batches: MetricInterval[][] = [[]];
  let filled = 0;
  const add = (interval: MetricInterval) => batches.at(-1)?.push(interval);
  for (const metric of metrics) {
    const blocks = counts.get(metric.id) ?? [];
    if (blocks.length === 0) continue;
    let { fromMs } = range;
    let ofMetric = 0;
    for (const { beginMs, count } of blocks) {
      if (filled > 0 && filled + count > batchSamples) {
        if (ofMetric > 0 && beginMs > fromMs) {
          add({ metric, fromMs, toMs: beginMs });
          fromMs = beginMs;
        }
        batches.push([]);
        filled = 0;
        ofMetric = 0;
      }
      filled += count;
      ofMetric += count;
    }
    add({ metric, fromMs, toMs: range.toMs });
  }
  return batches.filter((batch) => batch.length > 0);
}
