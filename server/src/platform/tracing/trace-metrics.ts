// The Prometheus metric of exported spans.
import { Counter, type Registry } from 'prom-client';

export type TraceMetrics = { countSpans(outcome: 'sent' | 'dropped', spans: number): void };

export function registerTraceMetrics(registry: Registry): TraceMetrics {
  const spans = new Counter({
    name: 'tributary_trace_spans_total',
    help: 'Spans sent to the collector, or dropped because it is away or too slow, by outcome (this process)',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return { countSpans: (outcome, count) => spans.labels(outcome).inc(count) };
}
