// Loops over all providers and starts sync runs of due devices, with a limit per provider so that a slow one delays no other. The
// queue is in the database: a kill at any moment loses nothing.

import { setTimeout as delay } from 'node:timers/promises';
import type { AccountId } from '../../../../domain/tenancy.ts';
import { type BackgroundLoop, startLoop } from '../../../../platform/background-loop.ts';
import type { Services } from '../../../../platform/services.ts';
import { CLOUD_PROVIDERS } from '../../../../providers/registry.ts';
import type { ProviderCallServices } from '../../provider-accounts/index.ts';
import type { ProviderAppServices } from '../../provider-apps/index.ts';
import { claimDevices, listDueProviders, readSyncStates } from '../device-store.ts';
import type { SyncedDevice } from '../sync-task.ts';
import { DEVICE_CLAIM_MS, runDevice } from './run-device.ts';

const PAUSE_MS = 500;
const REST_MS = 20;
/** Most of the time they wait for the provider. */
const AT_ONCE_A_PROVIDER = 8;
const STOP_LIMIT_MS = 5_000; // a longer request is repeated by another process
const REPORT_EVERY_MS = 15_000;
const PROVIDER_IDS = CLOUD_PROVIDERS.map(({ id }) => id);

export function startSyncer(
  services: ProviderCallServices & ProviderAppServices & Pick<Services, 'jobs' | 'log' | 'threads' | 'userMutex'>,
): BackgroundLoop {
  /** By provider: runs and their accounts. */
  const underWay = new Map<string, Map<Promise<void>, AccountId>>();
  let isStopping = false;
  let reportedMs = Number.NEGATIVE_INFINITY;

  const begin = (device: SyncedDevice) => {
    const ofProvider = underWay.getOrInsertComputed(device.provider, () => new Map<Promise<void>, AccountId>());
    const syncRun: Promise<void> = runDevice(services, device, () => isStopping)
      .catch((error: unknown) => {
        // The claim expires, and the device is tried again.
        services.log.error({ err: error, provider: device.provider }, 'a sync run failed');
      })
      .finally(() => {
        ofProvider.delete(syncRun);
        loop.wake();
      });
    ofProvider.set(syncRun, device.tenant.accountId);
  };

  /** Accounts without a run under way come first, so that an account with many devices does not delay the syncs of others. */
  const claim = async (provider: string): Promise<void> => {
    const running = underWay.get(provider) ?? new Map<Promise<void>, AccountId>();
    const limit = AT_ONCE_A_PROVIDER - running.size;
    if (limit === 0) return;
    const now = services.clock.now();
    const wanted = { provider, now, until: new Date(now.getTime() + DEVICE_CLAIM_MS) };
    const { isSandboxOn } = services.settings;
    const exceptAccounts = [...new Set(running.values())];
    const ofOthers = await claimDevices(services.db, { ...wanted, limit, exceptAccounts }, isSandboxOn);
    for (const device of ofOthers) begin(device);
    if (ofOthers.length === limit) return;
    const rest = await claimDevices(services.db, { ...wanted, limit: limit - ofOthers.length }, isSandboxOn);
    for (const device of rest) begin(device);
  };

  const loop = startLoop({
    name: 'syncer',
    pauseMs: PAUSE_MS,
    restMs: REST_MS,
    log: services.log,
    async round() {
      const { isSandboxOn } = services.settings;
      const due = await listDueProviders(services.db, PROVIDER_IDS, services.clock.now(), isSandboxOn);
      for (const provider of due) await claim(provider);
      if (performance.now() - reportedMs > REPORT_EVERY_MS) {
        const now = services.clock.now();
        services.metrics.setSync(await readSyncStates(services.db, PROVIDER_IDS, now, isSandboxOn));
        reportedMs = performance.now();
      }
      return false; // a finished run wakes the loop
    },
  });
  return {
    ...loop,
    async stop() {
      isStopping = true;
      await loop.stop();
      const runs = [...underWay.values()].flatMap((ofProvider) => [...ofProvider.keys()]);
      await Promise.race([Promise.all(runs), delay(STOP_LIMIT_MS, undefined, { ref: false })]);
    },
  };
}
