// Totals longer than an hour are merged over their whole interval (domain/consolidate/series-days.ts): finds what to read beyond the
// requested time. Pure.
import { roundToQuarterHours } from '../../../domain/consolidate/index.ts';
import type { MetricId } from '../../../domain/metrics/index.ts';
import type { SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
import { LONG_SAMPLE_MS } from '../../../domain/time/quarter-hours.ts';
import { joinRequests, type SampleRequest } from './gather-samples.ts';

/** `read` returns the samples of these requests for totals. Returns the intervals of long samples that reach beyond the requests. */
export function reachLongSamples(
  requests: readonly SampleRequest[],
  read: (metric: MetricId) => Iterable<SampleColumns>,
): SampleRequest[] {
  const reached: SampleRequest[] = [];
  for (const [metric, ofMetric] of Map.groupBy(joinRequests(requests), (request) => request.metric)) {
    for (const { starts, ends } of read(metric)) {
      if (ends === null) continue;
      for (let index = 0; index < starts.length; index += 1) {
        const [start, end] = [starts[index] as number, ends[index] as number];
        if (end - start <= LONG_SAMPLE_MS) continue;
        const isRequested = ofMetric.some(({ fromMs, toMs }) => start < toMs && end > fromMs);
        const isHeld = ofMetric.some(({ fromMs, toMs }) => start >= fromMs && end <= toMs);
        if (!isRequested || isHeld) continue;
        const range = roundToQuarterHours(start, end);
        reached.push({ metric, fromMs: range.start, toMs: range.end });
      }
    }
  }
  return joinRequests(reached);
}
