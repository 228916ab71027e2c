// Reads the numbers behind the gauges of the whole service: each with an indexed, capped or sampled statement.
import type { Environment } from '../../../domain/tenancy.ts';
import type { Backlog } from '../../../platform/db/backlog.ts';
import { readDatabaseSize } from '../../../platform/db/database-size.ts';
import type { Services } from '../../../platform/services.ts';
import { readWaitingWebhooks } from '../../clouds/provider-webhooks/index.ts';
import { readWaitingEvents } from '../../notify/events/index.ts';
import {
  countPendingDeliveries,
  countWebhooks,
  readDueDeliveries,
  type WebhookCount,
} from '../../notify/webhooks/index.ts';
import { readDueScoring } from '../../pipeline/scoring/index.ts';
import { countDevicesByProvider, type DeviceCount } from '../../store/devices/index.ts';
import { countUsers, readNextExpiry } from '../../tenancy/accounts/index.ts';
import { listProcesses, type SeenProcess } from '../service/index.ts';

export type ServiceCounts = {
  readonly now: Date;
  readonly users: Readonly<Record<Environment, number>>;
  readonly devices: readonly DeviceCount[];
  /** Those that are alive. */
  readonly processes: readonly SeenProcess[];
  readonly keyExpiries: readonly { readonly environment: Environment; readonly expiresAt: Date | null }[];
  readonly webhooks: readonly WebhookCount[];
  readonly pendingDeliveries: number;
  readonly dueDeliveries: Backlog;
  readonly waitingEvents: Backlog;
  readonly waitingProviderWebhooks: Backlog;
  readonly dueScoring: Backlog;
  readonly databaseBytes: number;
};

/** One statement after the other, so that a scrape never uses more than one connection. */
export async function readCounts({ db, clock }: Pick<Services, 'clock' | 'db'>): Promise<ServiceCounts> {
  const now = clock.now();
  return {
    now,
    users: await countUsers(db),
    devices: await countDevicesByProvider(db),
    processes: (await listProcesses(db)).filter(({ isAlive }) => isAlive),
    keyExpiries: await readNextExpiry(db, now),
    webhooks: await countWebhooks(db),
    pendingDeliveries: await countPendingDeliveries(db),
    dueDeliveries: await readDueDeliveries(db, now),
    waitingEvents: await readWaitingEvents(db),
    waitingProviderWebhooks: await readWaitingWebhooks(db),
    dueScoring: await readDueScoring(db, now),
    databaseBytes: (await readDatabaseSize(db)).bytes,
  };
}
