// Reads one user with its devices.
import type { ApiKeyCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { parseUserIdOrThrow, userNotFound } from '../../tenancy/user-core/index.ts';
import { readUserDetail, type UserDetail } from './user-detail.ts';

export async function getUser(
  { services, caller }: { services: Services; caller: ApiKeyCaller },
  input: { id: string },
): Promise<UserDetail> {
  const detail = await readUserDetail(services.db, caller.tenant, parseUserIdOrThrow(input.id), services.clock.now());
  if (!detail) throw userNotFound(input.id);
  return detail;
}
