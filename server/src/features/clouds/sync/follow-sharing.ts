// Updates the device after the user switched sharing off or on at the provider.
import type { Services } from '../../../platform/services.ts';
import type { CloudProvider } from '../../../providers/contract.ts';
import { recordEvent } from '../../notify/events/index.ts';
import { awaitReauthorization, endReauthorization } from '../../store/devices/index.ts';
import { advanceRevision, changeUser } from '../../tenancy/user-core/index.ts';
import { type ConnectedAccount, readProviderAccount } from '../provider-accounts/index.ts';
import { planRecentHistory } from './plan/backfill.ts';
import { addTasks } from './store.ts';

export type SharingChange = {
  readonly account: ConnectedAccount;
  readonly provider: CloudProvider;
  readonly sharesAnything: boolean;
};

/** The tokens stay valid: the user may share again at the provider, without us. */
export async function followSharing(
  services: Pick<Services, 'clock' | 'db' | 'userMutex'>,
  change: SharingChange,
): Promise<void> {
  const { account, provider, sharesAnything } = change;
  const { deviceId } = account;
  const now = services.clock.now();
  await changeUser(services, account.tenant, account.userId, async (tx, locked) => {
    if (locked === null) return;
    const user = locked.handle;
    const stored = await readProviderAccount(tx, user, deviceId);
    if (stored === null || stored.account.refusedAt !== null) return; // only connecting again helps
    const isMoved = sharesAnything
      ? await endReauthorization(tx, user, deviceId)
      : await awaitReauthorization(tx, user, deviceId, 'nothing_shared');
    if (!isMoved) return;
    const event = sharesAnything
      ? ({ type: 'device.connected', deviceId } as const)
      : ({ type: 'device.failed', deviceId, failureReason: 'nothing_shared' } as const);
    await recordEvent(tx, user, event, now);
    await advanceRevision(tx, user);
    if (!sharesAnything) return;
    const recent = planRecentHistory(provider, { zone: user.timezone, nowMs: now.getTime() });
    await addTasks(tx, account, recent, now);
  });
}
