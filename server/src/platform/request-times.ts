// A histogram of how long requests took, in the shape that prom-client writes out. Its own would look up labels and bucket by text
// on every request; here an answer is one place in an array.
import type { Metric, Registry } from 'prom-client';

export type ObserveRequest = (method: string, route: string, status: number, seconds: number) => void;

type Labels = { readonly method: string; readonly route: string; readonly status: string };
/** `counts[i]` took no longer than bucket i; the last is of those that took longer than all. */
type Series = { readonly labels: Labels; readonly counts: number[]; sum: number };

const NAME = 'tributary_http_request_seconds';
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function registerRequestTimes(registry: Registry): ObserveRequest {
  const byRoute = new Map<string, Map<string, Map<number, Series>>>();
  registry.registerMetric({ name: NAME, get: async () => describe(byRoute) } as unknown as Metric);
  return (method, route, status, seconds) => {
    const series = byRoute
      .getOrInsertComputed(route, () => new Map<string, Map<number, Series>>())
      .getOrInsertComputed(method, () => new Map<number, Series>())
      .getOrInsertComputed(status, () => ({
        labels: { method, route, status: String(status) },
        counts: Array<number>(BUCKETS.length + 1).fill(0),
        sum: 0,
      }));
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] as number)) bucket += 1;
    (series.counts[bucket] as number) += 1;
    series.sum += seconds;
  };
}

function describe(byRoute: Map<string, Map<string, Map<number, Series>>>) {
  const all = [...byRoute.values()].flatMap((methods) => [...methods.values()].flatMap((of) => [...of.values()]));
  const help = 'Time to answer, by method, route and status';
  return { name: NAME, help, type: 'histogram', aggregator: 'sum', values: all.flatMap(present) };
}

function present({ labels, counts, sum }: Series) {
  let total = 0;
  const buckets = counts.map((count, bucket) => {
    total += count;
    return { metricName: `${NAME}_bucket`, labels: { le: BUCKETS[bucket] ?? '+Inf', ...labels }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: total },
  ];
}
