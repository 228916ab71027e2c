// Traces in the form of OpenTelemetry, sent to a collector by OTLP/HTTP with JSON.
import { newId } from '../ids.ts';
import { createOutbound } from '../outbound/index.ts';
import { createSpanExporter } from './span-exporter.ts';
import type { TraceMetrics } from './trace-metrics.ts';
import { createTracer, type Tracer } from './tracer.ts';

export { traceDatabase } from './trace-database.ts';
export { traceOutbound } from './trace-outbound.ts';
export { traceRequests } from './trace-requests.ts';
export type { Tracer } from './tracer.ts';

type TraceSettings = {
  /** Of the service as a whole; spans go to /v1/traces below it. Null, as the next: not configured. */
  readonly otlpEndpoint: string | null;
  /** The whole URL for spans. */
  readonly otlpTracesEndpoint: string | null;
  readonly otlpHeaders: Readonly<Record<string, string>>;
  readonly traceServiceName: string;
  readonly traceSampleRatio: number;
};

/** Null: no collector is configured, and nothing is traced. */
export function openTracer(settings: TraceSettings, version: string, metrics: TraceMetrics): Tracer | null {
  const { otlpEndpoint, otlpTracesEndpoint, otlpHeaders, traceServiceName, traceSampleRatio } = settings;
  const url = otlpTracesEndpoint ?? (otlpEndpoint === null ? null : `${otlpEndpoint.replace(/\/+$/, '')}/v1/traces`);
  if (url === null) return null;
  const exporter = createSpanExporter({
    url,
    headers: otlpHeaders,
    resource: { 'service.name': traceServiceName, 'service.version': version, 'service.instance.id': newId<string>() },
    // The operator names the collector, which is usually in a private network.
    outbound: createOutbound({ exceptions: new Set([new URL(url).origin]) }),
    count: metrics.countSpans,
  });
  return createTracer(exporter, traceSampleRatio);
}
