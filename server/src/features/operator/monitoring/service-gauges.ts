// Prometheus gauges of the whole service, as its database knows it. Every process exports the same values.
import { Gauge, type Registry } from 'prom-client';
import { SECOND_MS } from '../../../domain/time/durations.ts';
import type { Backlog } from '../../../platform/db/backlog.ts';
import { DISABLED_REASONS } from '../../notify/webhooks/index.ts';
import type { Disk } from '../service/index.ts';
import type { ServiceCounts } from './read-counts.ts';

export type ServiceGauges = {
  setServiceCounts(counts: ServiceCounts): void;
  /** Of the disk with the data folder. */
  setDisk(disk: Disk): void;
};

export function registerServiceGauges(registry: Registry): ServiceGauges {
  const setters = [
    registerPeople(registry),
    registerKeys(registry),
    registerWebhooks(registry),
    registerBacklogs(registry),
    registerDatabase(registry),
  ];
  return {
    setServiceCounts: (counts) => {
      for (const set of setters) set(counts);
    },
    setDisk: registerDisk(registry),
  };
}

type Setter = (counts: ServiceCounts) => void;

/** Processes report the same value, so that their maximum is the value of the service. */
function serviceGauge<Label extends string>(registry: Registry, name: string, help: string, labelNames: Label[] = []) {
  const full = `${help} (whole service)`;
  return new Gauge({ name, help: full, labelNames, registers: [registry], aggregator: 'max' });
}

function registerPeople(registry: Registry): Setter {
  const users = serviceGauge(registry, 'tributary_users', 'Users, by environment', ['environment']);
  const devices = serviceGauge(
    registry,
    'tributary_devices',
    'Devices, by provider and status; an estimate beyond 100000',
    ['provider', 'status'],
  );
  const processes = serviceGauge(registry, 'tributary_processes', 'Running processes, by role and version', [
    'role',
    'version',
  ]);
  return (counts) => {
    for (const [environment, count] of Object.entries(counts.users)) users.labels(environment).set(count);
    devices.reset(); // a combination that no device has any more is not 1 for ever
    for (const { provider, status, count } of counts.devices) devices.labels(provider, status).set(count);
    processes.reset();
    for (const { role, version } of counts.processes) processes.labels(role, version).inc();
  };
}

function registerKeys(registry: Registry): Setter {
  const expiry = serviceGauge(
    registry,
    'tributary_api_key_next_expiry_seconds',
    'Time until the next API key expires that has not been replaced, by environment; no series without such a key',
    ['environment'],
  );
  return ({ now, keyExpiries }) => {
    expiry.reset();
    for (const { environment, expiresAt } of keyExpiries)
      if (expiresAt !== null) expiry.labels(environment).set((expiresAt.getTime() - now.getTime()) / SECOND_MS);
  };
}

function registerWebhooks(registry: Registry): Setter {
  const webhooks = serviceGauge(
    registry,
    'tributary_webhooks',
    'Webhooks, by status; failing: active, but the last attempt failed',
    ['status'],
  );
  const disabled = serviceGauge(registry, 'tributary_webhooks_disabled', 'Disabled webhooks, by reason', ['reason']);
  const pending = serviceGauge(
    registry,
    'tributary_webhook_deliveries_pending',
    'Webhook deliveries that wait for their first or next attempt; 10000 means 10000 or more',
  );
  return (counts) => {
    for (const status of ['active', 'failing', 'disabled']) webhooks.labels(status).set(0);
    for (const reason of DISABLED_REASONS) disabled.labels(reason).set(0);
    for (const { disabledReason, isFailing, count } of counts.webhooks) {
      webhooks.labels(disabledReason !== null ? 'disabled' : isFailing ? 'failing' : 'active').inc(count);
      if (disabledReason !== null) disabled.labels(disabledReason).inc(count);
    }
    pending.set(counts.pendingDeliveries);
  };
}

function registerBacklogs(registry: Registry): Setter {
  const deliveries = backlog(registry, 'tributary_webhook_deliveries_due', 'tributary_webhook_delivery_lag_seconds', [
    'Webhook deliveries that are due',
    'Age of the oldest webhook delivery that is due',
  ]);
  const outbox = backlog(registry, 'tributary_outbox_events', 'tributary_outbox_lag_seconds', [
    'Events that are not published yet',
    'Age of the oldest event that is not published yet',
  ]);
  const scoring = backlog(registry, 'tributary_scoring_users_due', 'tributary_scoring_lag_seconds', [
    'Users with days to score now',
    'Age of the oldest due scoring',
  ]);
  const webhooks = backlog(registry, 'tributary_provider_webhooks_waiting', 'tributary_provider_webhook_lag_seconds', [
    'Provider webhooks that are stored and not read yet',
    'Age of the oldest provider webhook that is not read yet',
  ]);
  return ({ now, dueDeliveries, waitingEvents, dueScoring, waitingProviderWebhooks }) => {
    deliveries(dueDeliveries, now);
    outbox(waitingEvents, now);
    scoring(dueScoring, now);
    webhooks(waitingProviderWebhooks, now);
  };
}

function backlog(registry: Registry, name: string, lagName: string, [help, lagHelp]: [string, string]) {
  const waiting = serviceGauge(registry, name, `${help}; 10000 means 10000 or more`);
  const lag = serviceGauge(registry, lagName, lagHelp);
  return ({ waiting: count, oldestAt }: Backlog, now: Date): void => {
    waiting.set(count);
    lag.set(oldestAt === null ? 0 : Math.max(0, (now.getTime() - oldestAt.getTime()) / SECOND_MS));
  };
}

function registerDatabase(registry: Registry): Setter {
  const size = serviceGauge(registry, 'tributary_database_size_bytes', 'Size of the database on its disk');
  const readAt = serviceGauge(
    registry,
    'tributary_service_gauges_timestamp_seconds',
    'When the gauges of the whole service were last read from the database',
  );
  return ({ now, databaseBytes }) => {
    size.set(databaseBytes);
    readAt.set(now.getTime() / SECOND_MS);
  };
}

function registerDisk(registry: Registry): ServiceGauges['setDisk'] {
  const free = new Gauge({
    name: 'tributary_disk_free_bytes',
    help: 'Free space on the disk with the data folder (this process)',
    registers: [registry],
    aggregator: 'min',
  });
  const size = new Gauge({
    name: 'tributary_disk_size_bytes',
    help: 'Size of the disk with the data folder (this process)',
    registers: [registry],
    aggregator: 'min',
  });
  return ({ freeBytes, totalBytes }) => {
    free.set(freeBytes);
    size.set(totalBytes);
  };
}
