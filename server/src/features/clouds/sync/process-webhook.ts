// Adds the tasks of a provider webhook to every account that it concerns.
import type { Transaction } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import { pack } from '../../../platform/zstd.ts';
import type { WebhookItem } from '../../../providers/contract.ts';
import { keepsRoutes } from '../../tenancy/accounts/index.ts';
import { openUser } from '../../tenancy/user-core/index.ts';
import { type ConnectedAccount, listAccountsOfProviderUser } from '../provider-accounts/index.ts';
import type { ProviderApp } from '../provider-apps/index.ts';
import { readSyncedDevice } from './device-store.ts';
import { dropPushedPositions } from './fetch/drop-positions.ts';
import type { SharingChange } from './follow-sharing.ts';
import { partsOf } from './plan/plan-resources.ts';
import { type Planned, planWebhook } from './plan/plan-webhook.ts';
import { addTasks } from './store.ts';
import { type NewSyncTask, URGENCY } from './sync-task.ts';

export type WebhookOutcome = {
  /** How many accounts it concerns; 0: we do not know the user. */
  readonly accounts: number;
  /** Accounts that the user disconnected at the provider. */
  readonly ended: readonly ConnectedAccount[];
  readonly sharing: readonly SharingChange[];
};

export async function processWebhook(
  services: Pick<Services, 'clock' | 'settings'>,
  tx: Transaction,
  app: ProviderApp,
  webhook: WebhookItem,
): Promise<WebhookOutcome> {
  const who = { provider: app.provider.id, appId: app.id, providerUserId: webhook.providerUserId };
  const accounts = await listAccountsOfProviderUser(tx, who);
  const ended: ConnectedAccount[] = [];
  const sharing: SharingChange[] = [];
  for (const account of accounts) {
    const planned = await planFor(services, tx, app, webhook, account);
    if (planned.some((one) => 'ended' in one)) ended.push(account);
    for (const one of planned) if ('sharesAnything' in one) sharing.push({ account, provider: app.provider, ...one });
    const stored = (await keepsRoutes(tx, account.tenant)) ? planned : planned.map((one) => stripPushed(app, one));
    await addTasks(tx, account, await toTasks(stored), services.clock.now());
  }
  return { accounts: accounts.length, ended, sharing };
}

async function planFor(
  services: Pick<Services, 'clock' | 'settings'>,
  tx: Transaction,
  app: ProviderApp,
  webhook: WebhookItem,
  account: ConnectedAccount,
): Promise<Planned[]> {
  const device = await readSyncedDevice(tx, account);
  const user = await openUser(tx, account.tenant, account.userId);
  if (device === null || user === null) return [];
  const parts = partsOf(services.settings, app.provider.id);
  const sharing = { scopes: account.scopes, skippedResources: device.skippedResources, parts };
  const { backfillDays: historyDays } = services.settings;
  return planWebhook(app.provider, webhook, { sharing, zone: user.timezone, now: services.clock.now(), historyDays });
}

function stripPushed({ provider }: ProviderApp, planned: Planned): Planned {
  if (!('pushed' in planned)) return planned;
  const { resource, body } = planned.pushed;
  return { pushed: { ...planned.pushed, body: dropPushedPositions(provider, resource, body) } };
}

async function toTasks(planned: readonly Planned[]): Promise<NewSyncTask[]> {
  const tasks: NewSyncTask[] = [];
  for (const one of planned) {
    if ('task' in one) tasks.push(one.task);
    if (!('pushed' in one)) continue;
    const { resource, body } = one.pushed;
    const packed = await pack(body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body)));
    tasks.push({ action: { kind: 'pushed', resource, packed }, urgency: URGENCY.webhook, dedupeKey: null });
  }
  return tasks;
}
