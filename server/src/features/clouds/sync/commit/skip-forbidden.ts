// Skips a resource that the provider refused, unless the user has connected again since: the task is then tried with the new tokens.
import type { Transaction } from '../../../../platform/db/database.ts';
import { readProviderAccount } from '../../provider-accounts/index.ts';
import type { Forbidden } from '../fetch/sync-run.ts';
import { skipResource } from '../store.ts';
import type { DeviceKey } from '../sync-task.ts';

/** The caller holds the user's lock. */
export async function skipForbidden(
  tx: Transaction,
  device: DeviceKey,
  { resource, tokenVersion }: Forbidden,
): Promise<void> {
  const stored = await readProviderAccount(tx, device, device.deviceId);
  if (stored?.account.tokenVersion === tokenVersion) await skipResource(tx, device, resource);
}
