// Reads one user with its devices.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { readUserWithDevices } from '../../store/devices/index.ts';
import { parseUserIdOrThrow, userNotFound, withScoreStatus } from '../../tenancy/user-core/index.ts';
import type { UserDetail } from './user-detail.ts';

export async function getUser(
  { services, caller }: { services: Pick<Services, 'clock' | 'db'>; caller: AccountCaller },
  input: { id: string },
): Promise<UserDetail> {
  const detail = await readUserDetail(services.db, caller.tenant, parseUserIdOrThrow(input.id), services.clock.now());
  if (!detail) throw userNotFound(input.id);
  return detail;
}

export async function readUserDetail(db: Queryable, tenant: Tenant, id: UserId, now: Date): Promise<UserDetail | null> {
  const detail = await readUserWithDevices(db, tenant, id, now);
  return detail && { ...detail, user: withScoreStatus(detail.user, now) };
}
