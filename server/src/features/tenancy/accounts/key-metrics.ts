// The Prometheus metric of API keys that expire soon.
import { Gauge, type Registry } from 'prom-client';

export type KeyMetrics = {
  /** Counts by environment. */
  setExpiringKeys(counts: Readonly<Record<string, number>>): void;
};

export function registerKeyMetrics(registry: Registry): KeyMetrics {
  const expiringKeys = new Gauge({
    name: 'tributary_api_keys_expiring',
    help: 'API keys that expire within 14 days and have not been replaced, by environment (whole service)',
    labelNames: ['environment'],
    registers: [registry],
    aggregator: 'max',
  });
  return {
    setExpiringKeys: (counts) => {
      for (const [environment, count] of Object.entries(counts)) expiringKeys.labels(environment).set(count);
    },
  };
}
