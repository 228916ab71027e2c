// What is told of providers: what they are asked, what they tell by themselves, and what waits to be fetched.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { OUTBOUND_BUCKETS } from './outbound-buckets.ts';

export type ProviderMetrics = {
  observeProviderCall(provider: string, outcome: string, seconds: number): void;
  countNotices(
    provider: string,
    outcome: 'taken' | 'forged' | 'stale' | 'unknown_person' | 'unreadable',
    count?: number,
  ): void;
  countRefusedRecords(provider: string, count: number): void;
  setSync(states: readonly SyncState[]): void;
};

/** What waits to be fetched or taken in. */
export type SyncState = {
  readonly provider: string;
  /** Devices. */
  readonly waiting: number;
  /** Errands. */
  readonly setAside: number;
  /** Since the oldest that is due. */
  readonly lagSeconds: number;
};

export function registerProviderMetrics(registry: Registry): ProviderMetrics {
  return { ...registerTraffic(registry), setSync: registerWaiting(registry) };
}

function registerTraffic(registry: Registry): Omit<ProviderMetrics, 'setSync'> {
  const registers = [registry];
  const calls = new Histogram({
    name: 'tributary_provider_call_seconds',
    help: 'Requests to providers, by provider and outcome, and how long they took',
    labelNames: ['provider', 'outcome'],
    buckets: OUTBOUND_BUCKETS,
    registers,
  });
  const notices = new Counter({
    name: 'tributary_provider_notices_total',
    help: 'Notices of providers, by provider and what became of them',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const refusedRecords = new Counter({
    name: 'tributary_provider_records_refused_total',
    help: 'Values and sessions of providers that cannot be and were left out',
    labelNames: ['provider'],
    registers,
  });
  return {
    observeProviderCall: (provider, outcome, seconds) => calls.labels(provider, outcome).observe(seconds),
    countNotices: (provider, outcome, count = 1) => notices.labels(provider, outcome).inc(count),
    countRefusedRecords: (provider, count) => refusedRecords.labels(provider).inc(count),
  };
}

function registerWaiting(registry: Registry): ProviderMetrics['setSync'] {
  const registers = [registry];
  const waitingDevices = new Gauge({
    name: 'tributary_sync_devices_waiting',
    help: 'Devices whose turn has come, by provider; 10000 stands for that many and more',
    labelNames: ['provider'],
    registers,
  });
  const errands = new Gauge({
    name: 'tributary_sync_errands',
    help: 'What was tried often and set aside, by provider',
    labelNames: ['provider', 'state'],
    registers,
  });
  const lag = new Gauge({
    name: 'tributary_sync_lag_seconds',
    help: 'How long the device whose turn it is has been waiting, by provider',
    labelNames: ['provider'],
    registers,
  });
  return (states) => {
    for (const { provider, waiting, setAside, lagSeconds } of states) {
      waitingDevices.labels(provider).set(waiting);
      errands.labels(provider, 'set_aside').set(setAside);
      lag.labels(provider).set(lagSeconds);
    }
  };
}
