// How a range is read: in batches of about so many samples, so that memory depends on neither the range nor the density, and
// many sparse metrics are one query. Pure.
import type { Metric, MetricId } from '../../../domain/metrics/index.ts';
import type { BlockCount } from '../../store/samples/index.ts';

/** [fromMs, toMs) of one metric. */
export type Window = { readonly metric: Metric; readonly fromMs: number; readonly toMs: number };
export type Batch = readonly Window[];

/** A few milliseconds of decoding and writing, some two megabytes of text. */
export const BATCH_SAMPLES = 20_000;

/** In the order of the answer. The windows of a metric follow each other without gap and meet where a block begins. */
export function planBatches(
  metrics: readonly Metric[],
  counts: ReadonlyMap<MetricId, readonly BlockCount[]>,
  range: { readonly fromMs: number; readonly toMs: number },
  batchSamples = BATCH_SAMPLES,
): Batch[] {
  const batches: Window[][] = [[]];
  let filled = 0;
  const add = (window: Window) => batches.at(-1)?.push(window);
  for (const metric of metrics) {
    const blocks = counts.get(metric.id) ?? [];
    if (blocks.length === 0) continue;
    let { fromMs } = range;
    let own = 0;
    for (const { beginMs, count } of blocks) {
      if (filled > 0 && filled + count > batchSamples) {
        if (own > 0 && beginMs > fromMs) {
          add({ metric, fromMs, toMs: beginMs });
          fromMs = beginMs;
        }
        batches.push([]);
        filled = 0;
        own = 0;
      }
      filled += count;
      own += count;
    }
    add({ metric, fromMs, toMs: range.toMs });
  }
  return batches.filter((batch) => batch.length > 0);
}
