// The Prometheus metric of the request log.
import { Counter, type Registry } from 'prom-client';

export type RequestLogMetrics = { countDroppedRequests(requests: number): void };

export function registerRequestLogMetrics(registry: Registry): RequestLogMetrics {
  const dropped = new Counter({
    name: 'tributary_request_log_dropped_total',
    help: 'API calls that are missing from the request log, because it was full or could not be written (this process)',
    registers: [registry],
  });
  return { countDroppedRequests: (requests) => dropped.inc(requests) };
}
