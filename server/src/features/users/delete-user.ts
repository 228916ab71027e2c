// Deletes a user: invisible when the call answers, erased by a job that survives a crash.
import type { UserId } from '../../domain/tenancy.ts';
import type { ApiKeyCaller } from '../../platform/http/caller.ts';
import type { Services } from '../../platform/services.ts';
import { countUserOut } from '../accounts/index.ts';
import { removeDeliveries } from '../deliveries/index.ts';
import { recordEvent, removeEvents } from '../events/index.ts';
import { lockUser, markUserDeleting, parseUserIdOrThrow, userNotFound } from '../subjects/index.ts';
import { eraseUserJob } from './jobs.ts';

export async function deleteUser(
  { services, caller }: { services: Services; caller: ApiKeyCaller },
  input: { id: string },
): Promise<{ id: UserId }> {
  const userId = parseUserIdOrThrow(input.id);
  await services.db.transaction(async (tx) => {
    const locked = await lockUser(tx, caller.tenant, userId);
    if (!locked) throw userNotFound(input.id);
    await markUserDeleting(tx, locked.handle);
    await removeEvents(tx, locked.handle);
    await removeDeliveries(tx, locked.handle);
    await recordEvent(tx, locked.handle, { type: 'user.deleted', deviceId: null }, services.clock.now());
    await countUserOut(tx, caller.tenant);
    await services.jobs.enqueue(tx, eraseUserJob, { user_id: userId }, { coalesceBy: userId });
  });
  return { id: userId };
}
