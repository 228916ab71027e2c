// Prometheus metrics. Labels are route patterns and job names, never IDs, so that the number of series stays small.
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type JobMetrics, registerJobMetrics } from './job-metrics.ts';
import { type ObserveRequest, registerRequestTimes } from './request-times.ts';

/** An interface, because src/services.ts adds the metrics of the features. */
export interface Metrics extends JobMetrics {
  readonly observeRequest: ObserveRequest;
  setDatabaseUp(isUp: boolean): void;
  render(): Promise<string>;
}

type Added = Omit<Metrics, keyof JobMetrics | 'observeRequest' | 'setDatabaseUp' | 'render'>;

export function createMetrics(registerFeatures: (registry: Registry) => Added): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'tributary_' });
  const databaseUp = new Gauge({
    name: 'tributary_database_up',
    help: '1 if the database is reachable, otherwise 0',
    registers: [registry],
  });
  return {
    ...registerJobMetrics(registry),
    ...registerFeatures(registry),
    observeRequest: registerRequestTimes(registry),
    setDatabaseUp: (isUp) => databaseUp.set(isUp ? 1 : 0),
    render: () => registry.metrics(),
  };
}
