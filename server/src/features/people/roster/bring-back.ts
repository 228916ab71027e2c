// Restores the user of a person who shared before.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import { enqueueRebuild } from '../../pipeline/ingest/index.ts';
import { queueEveryDay } from '../../pipeline/scoring/index.ts';
import { lockOwnUser, shareUserAgain, updateUser } from '../../tenancy/user-core/index.ts';
import { requireRoom } from '../users/index.ts';

/** False: the user was erased in the meantime. Jobs that came due while the user was unshared were dropped, so everything is rebuilt. */
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
