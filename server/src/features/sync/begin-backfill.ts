// The history of a device that has just been connected is to be fetched.
import { addDays, localDateAt } from '../../domain/calendar.ts';
import type { DeviceId } from '../../domain/tenancy.ts';
import type { Transaction } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { findProvider } from '../../providers/registry.ts';
import { recordBackfill } from '../devices/index.ts';
import { readAccount } from '../provider-accounts/index.ts';
import type { UserHandle } from '../subjects/index.ts';

/** In the transaction that makes the device active; the caller holds the user's lock. */
export async function beginBackfill(
  { clock }: Services,
  tx: Transaction,
  user: UserHandle,
  deviceId: DeviceId,
): Promise<void> {
  const stored = await readAccount(tx, user, deviceId);
  const provider = stored && findProvider(stored.account.provider);
  if (!provider) return;
  const today = localDateAt(clock.now().getTime(), user.timezone);
  await recordBackfill(tx, user, deviceId, { state: 'waiting', fromDate: addDays(today, -provider.historyDays) });
}
