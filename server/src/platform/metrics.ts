// Prometheus metrics. Labels are route patterns and job names, never IDs, so that the number of series stays small.
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type DeliveryMetrics, registerDeliveryMetrics } from './delivery-metrics.ts';
import { type JobMetrics, registerJobMetrics } from './job-metrics.ts';
import { type ProviderMetrics, registerProviderMetrics } from './provider-metrics.ts';
import { type ObserveRequest, registerRequestTimes } from './request-times.ts';

export type { SyncState } from './provider-metrics.ts';

export type Metrics = JobMetrics &
  DeliveryMetrics &
  ProviderMetrics & {
    readonly observeRequest: ObserveRequest;
    setDatabaseUp(isUp: boolean): void;
    render(): Promise<string>;
  };

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'tributary_' });
  const databaseUp = new Gauge({
    name: 'tributary_database_up',
    help: '1 if the database is reachable, otherwise 0',
    registers: [registry],
  });
  return {
    ...registerJobMetrics(registry),
    ...registerDeliveryMetrics(registry),
    ...registerProviderMetrics(registry),
    observeRequest: registerRequestTimes(registry),
    setDatabaseUp: (isUp) => databaseUp.set(isUp ? 1 : 0),
    render: () => registry.metrics(),
  };
}
