// The histogram of response times.
import { Histogram, type Registry } from 'prom-client';

export type ObserveRequest = (method: string, route: string, status: number, seconds: number) => void;

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function registerRequestTimes(registry: Registry): ObserveRequest {
  const histogram = new Histogram({
    name: 'tributary_http_request_seconds',
    help: 'Response time, for streamed bodies until the first byte, by method, route and status (this process)',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_S,
    registers: [registry],
  });
  return (method, route, status, seconds) => histogram.observe({ method, route, status: String(status) }, seconds);
}
