// Prometheus metrics of providers: requests, received webhooks and pending syncs.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { OUTBOUND_BUCKETS } from '../../../platform/outbound/index.ts';

export type ProviderMetrics = {
  observeProviderCall(provider: string, outcome: string, seconds: number): void;
  countWebhooks(
    provider: string,
    outcome: 'stored' | 'forged' | 'stale' | 'unknown_person' | 'unreadable',
    count?: number,
  ): void;
  countRefusedRecords(provider: string, count: number): void;
  setSync(states: readonly SyncState[]): void;
};

/** The sync backlog of one provider. */
export type SyncState = {
  readonly provider: string;
  /** Devices due for a sync. */
  readonly waiting: number;
  /** Parked sync tasks. */
  readonly parked: number;
  /** Age of the oldest due sync. */
  readonly lagSeconds: number;
};

export function registerProviderMetrics(registry: Registry): ProviderMetrics {
  return { ...registerTraffic(registry), setSync: registerWaiting(registry) };
}

function registerTraffic(registry: Registry): Omit<ProviderMetrics, 'setSync'> {
  const registers = [registry];
  const calls = new Histogram({
    name: 'tributary_provider_call_seconds',
    help: 'Duration of requests to providers, by provider and outcome (this process)',
    labelNames: ['provider', 'outcome'],
    buckets: OUTBOUND_BUCKETS,
    registers,
  });
  const webhooks = new Counter({
    name: 'tributary_provider_webhooks_total',
    help: 'Webhooks received from providers, by provider and outcome (this process)',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const refusedRecords = new Counter({
    name: 'tributary_provider_records_dropped_total',
    help: 'Provider values and sessions dropped because they are out of range or malformed (this process)',
    labelNames: ['provider'],
    registers,
  });
  return {
    observeProviderCall: (provider, outcome, seconds) => calls.labels(provider, outcome).observe(seconds),
    countWebhooks: (provider, outcome, count = 1) => webhooks.labels(provider, outcome).inc(count),
    countRefusedRecords: (provider, count) => refusedRecords.labels(provider).inc(count),
  };
}

function registerWaiting(registry: Registry): ProviderMetrics['setSync'] {
  const registers = [registry];
  const waitingDevices = new Gauge({
    name: 'tributary_sync_devices_waiting',
    help: 'Devices due for a sync, by provider; 10000 means 10000 or more (whole service; read by workers)',
    labelNames: ['provider'],
    registers,
    aggregator: 'max',
  });
  const tasks = new Gauge({
    name: 'tributary_sync_tasks',
    help: 'Sync tasks parked after repeated failures, by provider (whole service; read by workers)',
    labelNames: ['provider', 'state'],
    registers,
    aggregator: 'max',
  });
  const lag = new Gauge({
    name: 'tributary_sync_lag_seconds',
    help: 'Age of the oldest due sync, by provider (whole service; read by workers)',
    labelNames: ['provider'],
    registers,
    aggregator: 'max',
  });
  return (states) => {
    for (const { provider, waiting, parked, lagSeconds } of states) {
      waitingDevices.labels(provider).set(waiting);
      tasks.labels(provider, 'parked').set(parked);
      lag.labels(provider).set(lagSeconds);
    }
  };
}
