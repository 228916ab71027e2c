// Updates a user; fields that are not supplied stay unchanged.
import { isUniqueViolation } from '../../../platform/db/database-errors.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { enqueueRebuild } from '../../pipeline/ingest/index.ts';
import { queueEveryDay } from '../../pipeline/scoring/index.ts';
import { lookAgainSoon } from '../../sandbox/sandbox-users/index.ts';
import {
  advanceRevision,
  changeUser,
  type Profile,
  parseUserIdOrThrow,
  updateUser as updateStoredUser,
  userNotFound,
} from '../../tenancy/user-core/index.ts';
import { referenceTaken } from './create-user.ts';
import { readUserDetail } from './get-user.ts';
import type { UserDetail } from './user-detail.ts';
import { checkUserFields, mergeMetadata, mergeProfile, type UserFields } from './user-fields.ts';

export type UpdateUserInput = UserFields & { readonly id: string; readonly referenceId?: string };

/** These fields determine the heart-rate zones of every workout. */
function changesHeartRateRange(before: Profile, after: Profile): boolean {
  return before.max_heart_rate !== after.max_heart_rate || before.birth_date !== after.birth_date;
}

const SCORED_FIELDS = [
  'birth_date',
  'sex',
  'height_cm',
  'weight_kg',
  'max_heart_rate',
  'sleep_need_minutes',
  'energy_goal_ratio',
] as const;

function changesScores(before: Profile, after: Profile): boolean {
  return SCORED_FIELDS.some((field) => before[field] !== after[field]);
}

export async function updateUser(
  { services, caller }: { services: Pick<Services, 'clock' | 'db' | 'jobs' | 'userMutex'>; caller: AccountCaller },
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
      const hasNewZone = timezone !== user.timezone;
      if (hasNewZone || changesHeartRateRange(user.profile, profile)) await enqueueRebuild(services.jobs, tx, handle);
      if (hasNewZone) await lookAgainSoon(tx, handle, services.clock.now());
      if (hasNewZone || changesScores(user.profile, profile)) {
        await advanceRevision(tx, handle); // clock values and workout strain change at once; days change when they are rescored
        await queueEveryDay(tx, handle, services.clock.now());
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
