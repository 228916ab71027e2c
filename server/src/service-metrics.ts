// Every Prometheus metric of the service: those of the platform and of the features.
import type { Registry } from 'prom-client';
import { registerProviderMetrics } from './features/clouds/provider-accounts/index.ts';
import { registerIntakeMetrics } from './features/intake/uploads/index.ts';
import { registerDeliveryMetrics } from './features/notify/webhooks/index.ts';
import { registerServiceGauges } from './features/operator/monitoring/index.ts';
import { registerKeyMetrics } from './features/tenancy/accounts/index.ts';
import { registerRequestLogMetrics } from './features/tenancy/request-log/index.ts';
import { type Build, createMetrics, type Metrics } from './platform/metrics.ts';

export function createServiceMetrics(build: Build, renderGroup: (() => Promise<string | null>) | null): Metrics {
  const registerFeatures = (registry: Registry) => ({
    ...registerDeliveryMetrics(registry),
    ...registerKeyMetrics(registry),
    ...registerRequestLogMetrics(registry),
    ...registerProviderMetrics(registry),
    ...registerIntakeMetrics(registry),
    ...registerServiceGauges(registry),
  });
  return createMetrics(build, registerFeatures, renderGroup);
}
