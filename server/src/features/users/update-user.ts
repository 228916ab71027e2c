// Changes only what was supplied.
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import type { ApiKeyCaller } from '../../platform/http/caller.ts';
import type { Services } from '../../platform/services.ts';
import { enqueueRebuild } from '../pipeline/index.ts';
import {
  advanceRevision,
  changeUser,
  type Profile,
  parseUserIdOrThrow,
  updateUser as updateStoredUser,
  userNotFound,
} from '../subjects/index.ts';
import { referenceTaken } from './create-user.ts';
import { readUserDetail } from './store.ts';
import type { UserDetail } from './user-detail.ts';
import { checkUserFields, mergeMetadata, mergeProfile, type UserFields } from './user-fields.ts';

export type UpdateUserInput = UserFields & { readonly id: string; readonly referenceId?: string };

/** The zones of every workout hang on these. */
function movesHeartLimits(before: Profile, after: Profile): boolean {
  return before.max_heart_rate !== after.max_heart_rate || before.birth_date !== after.birth_date;
}

export async function updateUser(
  { services, caller }: { services: Services; caller: ApiKeyCaller },
  input: UpdateUserInput,
): Promise<UserDetail> {
  const userId = parseUserIdOrThrow(input.id);
  checkUserFields(input, services.clock.now());
  try {
    return await changeUser(services, caller.tenant, userId, async (tx, locked) => {
      if (!locked) throw userNotFound(input.id);
      const { handle, user } = locked;
      const timezone = input.timezone === undefined ? user.timezone : input.timezone;
      const profile = mergeProfile(user.profile, input.profile);
      await updateStoredUser(tx, handle, {
        referenceId: input.referenceId ?? user.referenceId,
        timezone,
        profile,
        metadata: mergeMetadata(user.metadata, input.metadata),
      });
      if (timezone !== user.timezone || movesHeartLimits(user.profile, profile)) {
        await advanceRevision(tx, handle); // clock values follow the zone at once, days when they are rebuilt
        await enqueueRebuild(services.jobs, tx, handle);
      }
      const detail = await readUserDetail(tx, caller.tenant, userId, services.clock.now());
      if (!detail) throw userNotFound(input.id);
      return detail;
    });
  } catch (error) {
    if (input.referenceId === undefined || !isUniqueViolation(error, 'users_reference_in_use')) throw error;
    throw await referenceTaken(services, caller, input.referenceId);
  }
}
