// Daily jobs: repair webhook subscriptions, and remove old parked tasks, log entries and expired budgets.

import { DAY_MS, HOUR_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import type { ProviderCallServices } from '../provider-accounts/index.ts';
import { removeEndedBudgets } from '../provider-accounts/index.ts';
import type { ProviderAppServices } from '../provider-apps/index.ts';
import { listAppsById, type ProviderApp } from '../provider-apps/index.ts';
import { refreshKeys, repairApplication } from '../subscriptions/index.ts';
import { listAppsInUse, listDevicesOf } from './device-store.ts';
import { removeSyncLogBefore } from './log-store.ts';
import { addTasks, removeParked } from './store.ts';
import { type DeviceKey, type NewSyncTask, URGENCY } from './sync-task.ts';

const PAGE_SIZE = 500;
/** Spreads the requests of all users, so that they are never sent at once. */
const SPREAD_MS = 12 * HOUR_MS;

export const repairSubscriptionsJob = defineJob({
  name: 'repair_subscriptions',
  payload: Type.Object({}),
  cron: '23 4 * * *',
  async run(services) {
    for (const { provider, appId } of await listAppsInUse(services.db)) {
      await repairSubscriptions(services, provider, appId);
    }
  },
});

/** False: the provider rejected them; the next repair tries again. */
export async function repairSubscriptions(
  services: ProviderCallServices & ProviderAppServices & Pick<Services, 'log'>,
  provider: string,
  appId: string,
): Promise<boolean> {
  return repairApp(services, await listAppsById(services, provider, appId));
}

/** Long enough for an operator to look at them. */
const PARKED_MS = 90 * DAY_MS;
/** As long as support looks back. */
const LOG_MS = 30 * DAY_MS;
const BATCH_ROWS = 1_000;

export const tidySyncJob = defineJob({
  name: 'tidy_sync',
  payload: Type.Object({}),
  cron: '53 3 * * *',
  async run({ db, clock }) {
    const now = clock.now();
    await removeParked(db, new Date(now.getTime() - PARKED_MS));
    const logBefore = new Date(now.getTime() - LOG_MS);
    while ((await removeSyncLogBefore(db, logBefore, BATCH_ROWS)) === BATCH_ROWS);
    await removeEndedBudgets(db, now);
  },
});

/** Tries each registration of the application until the provider accepts one, because some may have an old secret. */
async function repairApp(
  services: ProviderCallServices & Pick<Services, 'log' | 'secrets' | 'settings'>,
  [app, ...others]: readonly ProviderApp[],
): Promise<boolean> {
  if (app === undefined) return true;
  await refreshKeys(services, app);
  if (app.provider.webhook?.subscriptions?.per === 'person') {
    await repairUsers(services, app);
    return true;
  }
  const problem = await repairApplication(services, app);
  if (problem === null) return true;
  if (others.length > 0) return repairApp(services, others);
  services.log.warn({ provider: app.provider.id, reason: problem.reason }, 'cannot repair webhook subscriptions');
  return false;
}

async function repairUsers(
  { db, clock }: Pick<Services, 'clock' | 'db'>,
  { provider, id }: ProviderApp,
): Promise<void> {
  const subscribe: NewSyncTask = { action: { kind: 'subscribe' }, urgency: URGENCY.poll, dedupeKey: 'subscribe' };
  let last: DeviceKey | null = null;
  do {
    const page: DeviceKey[] = await listDevicesOf(db, { provider: provider.id, appId: id }, last, PAGE_SIZE);
    for (const device of page) {
      const dueAt = new Date(clock.now().getTime() + SPREAD_MS * Math.random());
      await db.transaction((tx) => addTasks(tx, device, [subscribe], dueAt));
    }
    last = page.at(-1) ?? null;
  } while (last !== null);
}
