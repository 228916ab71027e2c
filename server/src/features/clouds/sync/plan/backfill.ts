// Plans the backfill of a newly connected account, newest data first: one task per resource, which goes back window by window.
import type { DeviceId } from '../../../../domain/tenancy.ts';
import type { Transaction } from '../../../../platform/db/database.ts';
import type { Services } from '../../../../platform/services.ts';
import type { CloudProvider, TokenSet } from '../../../../providers/contract.ts';
import { findProvider } from '../../../../providers/registry.ts';
import { recordBackfill } from '../../../store/devices/index.ts';
import type { UserHandle } from '../../../tenancy/user-core/index.ts';
import { type ConnectedAccount, readProviderAccount } from '../../provider-accounts/index.ts';
import { readSyncedDevice, saveDevice } from '../device-store.ts';
import { emitChangesOf } from '../pending-changes.ts';
import { addTasks, removeSync } from '../store.ts';
import { type NewSyncTask, type SyncedDevice, URGENCY } from '../sync-task.ts';
import { pollIntervalMs } from './plan-poll.ts';
import { listPolled, partsOf, type Sharing } from './plan-resources.ts';
import { startOfDays, windowBefore } from './plan-windows.ts';

type PlanServices = Pick<Services, 'clock' | 'settings' | 'simulator'>;

/** In the transaction that activates the device, after its account was stored. A reconnection fetches everything again. */
export async function beginBackfill(
  services: PlanServices,
  tx: Transaction,
  user: UserHandle,
  deviceId: DeviceId,
): Promise<void> {
  const stored = await readProviderAccount(tx, user, deviceId);
  const provider = stored === null ? null : findProvider(stored.account.provider);
  if (stored === null || provider === null) throw new Error('a backfill needs a connected account');
  const now = services.clock.now();
  const { scopes, appId } = stored.account;
  const isPolled = provider.resources.length > 0;
  const nextPollAt = isPolled ? new Date(now.getTime() + pollIntervalMs(provider, 1, Math.random())) : null;
  await saveDevice(tx, user, { deviceId, provider: provider.id, appId, nextPollAt }, now);
  const history = planHistory(provider, { scopes, skippedResources: [] }, services, user);
  const hasSubscriptions = (provider.webhook?.subscriptions ?? null) !== null;
  const subscribe: NewSyncTask = { action: { kind: 'subscribe' }, urgency: URGENCY.webhook, dedupeKey: 'subscribe' };
  await addTasks(tx, { userId: user.userId, deviceId }, [...(hasSubscriptions ? [subscribe] : []), ...history], now);
  const state = history.length === 0 ? 'done' : 'waiting';
  await recordBackfill(tx, user, deviceId, { state, fromDate: null });
}

/** Whether a connected device that was connected again shares more: a scope, or a resource that the provider refused before. */
export async function sharesMore(
  tx: Transaction,
  { userId }: UserHandle,
  { deviceId, scopes: before }: Pick<ConnectedAccount, 'deviceId' | 'scopes'>,
  { scopes }: Pick<TokenSet, 'scopes'>,
): Promise<boolean> {
  const synced = await readSyncedDevice(tx, { userId, deviceId });
  if (synced === null || synced.skippedResources.length > 0) return true;
  return before !== null && (scopes === null || scopes.some((scope) => !before.includes(scope)));
}

/** Fetches the whole history of a connected account again. False: there is none. */
export async function repeatBackfill(
  services: PlanServices,
  tx: Transaction,
  user: UserHandle,
  { deviceId, skippedResources }: Pick<SyncedDevice, 'deviceId' | 'skippedResources'>,
): Promise<boolean> {
  const stored = await readProviderAccount(tx, user, deviceId);
  const provider = stored === null ? null : findProvider(stored.account.provider);
  if (stored === null || provider === null) return false;
  const history = planHistory(provider, { scopes: stored.account.scopes, skippedResources }, services, user);
  if (history.length === 0) return false;
  await addTasks(tx, { userId: user.userId, deviceId }, history, services.clock.now());
  await recordBackfill(tx, user, deviceId, { state: 'waiting', fromDate: null });
  return true;
}

/** Simulated users have no more than a month: requesting a year would spend minutes of every budget and return nothing. */
function maxDaysOf({ settings, simulator }: Pick<Services, 'settings' | 'simulator'>, { tenant }: UserHandle): number {
  const { backfillDays } = settings;
  return tenant.environment === 'sandbox' ? Math.min(backfillDays, simulator.historyDays) : backfillDays;
}

/** Days of history that a connection of the provider can have. */
export function historyDaysOf(
  services: Pick<Services, 'settings' | 'simulator'>,
  user: UserHandle,
  { historyDays }: CloudProvider,
): number {
  return Math.min(historyDays, maxDaysOf(services, user));
}

/** Removes all tasks of a device that is being disconnected. Its pending changes are still emitted and scored. */
export async function forgetDevice(tx: Transaction, user: UserHandle, deviceId: DeviceId, now: Date): Promise<void> {
  await emitChangesOf(tx, user, deviceId, now);
  await removeSync(tx, user, deviceId);
}

/** For erasure. */
export async function removeSyncOfUser(tx: Transaction, user: UserHandle): Promise<void> {
  await removeSync(tx, user, null);
}

function planHistory(
  provider: CloudProvider,
  shared: Pick<Sharing, 'scopes' | 'skippedResources'>,
  services: PlanServices,
  user: UserHandle,
): NewSyncTask[] {
  const zone = user.timezone;
  const nowMs = services.clock.now().getTime();
  const maxDays = maxDaysOf(services, user);
  const sharing = { ...shared, parts: partsOf(services.settings, provider.id) };
  const earliestOf = (historyDays: number) => startOfDays(zone, nowMs, Math.min(historyDays, maxDays));
  const dedupeKey = (name: string) => `history ${name}`;
  const { backfill, historyDays } = provider;
  if (backfill !== undefined)
    return backfill.kinds.map((resource) => {
      const backfillUntil = earliestOf(historyDays);
      const window = windowBefore(zone, nowMs, backfillUntil, backfill.windowDays);
      const action = { kind: 'history', resource, window, backfillUntil } as const;
      return { action, urgency: URGENCY.backfill, dedupeKey: dedupeKey(resource) };
    });
  const withHistory = listPolled(provider, sharing).filter(({ isCurrentOnly }) => isCurrentOnly !== true);
  return withHistory.map((resource) => {
    const backfillUntil = earliestOf(Math.min(historyDays, resource.historyDays ?? historyDays));
    const window = windowBefore(zone, nowMs, backfillUntil, resource.windowDays);
    const action = {
      kind: 'window',
      resource: resource.name,
      window,
      backfillUntil,
      cursor: null,
      reconciles: null,
    } as const;
    return { action, urgency: URGENCY.backfill, dedupeKey: dedupeKey(resource.name) };
  });
}

/** The days that may still have changed, for a provider that pushes requested history. */
const RECENT_DAYS = 3;

export function planRecentHistory(
  { backfill }: CloudProvider,
  { zone, nowMs }: { readonly zone: string | null; readonly nowMs: number },
): NewSyncTask[] {
  const from = startOfDays(zone, nowMs, RECENT_DAYS);
  return (backfill?.kinds ?? []).map((resource) => ({
    action: { kind: 'history', resource, window: { from, to: nowMs }, backfillUntil: from },
    urgency: URGENCY.poll,
    dedupeKey: `recent ${resource}`,
  }));
}
