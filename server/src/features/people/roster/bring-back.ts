// Shares again what a person had shared before.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import { enqueueRebuild } from '../../pipeline/ingest/index.ts';
import { queueEveryDay } from '../../pipeline/scoring/index.ts';
import { lockOwnUser, shareUserAgain, updateUser } from '../../tenancy/user-core/index.ts';
import { requireRoom } from '../users/index.ts';

/** False: erased meanwhile. Work that came due while nobody could open the user was dropped, so all of it is done again. */
export async function bringBack(
  services: Services,
  tx: Transaction,
  tenant: Tenant,
  userId: UserId,
  externalRef: string | null,
): Promise<boolean> {
  const own = await lockOwnUser(tx, tenant, userId);
  if (!own) return false;
  const { handle, user } = own;
  await shareUserAgain(tx, handle);
  if (externalRef !== null) await updateUser(tx, handle, { ...user, referenceId: externalRef });
  await enqueueRebuild(services.jobs, tx, handle);
  await queueEveryDay(tx, handle, services.clock.now());
  await requireRoom(tx, tenant);
  return true;
}
