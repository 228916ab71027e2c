// The read model of one user, presented by both forms.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { type Device, readUserWithDevices } from '../../store/devices/index.ts';
import type { User } from '../../tenancy/user-core/index.ts';
import { withScoreStatus } from './score-status.ts';

export type UserDetail = { readonly user: User; readonly devices: readonly Device[] };

export async function readUserDetail(db: Queryable, tenant: Tenant, id: UserId, now: Date): Promise<UserDetail | null> {
  const detail = await readUserWithDevices(db, tenant, id, now);
  return detail && { ...detail, user: withScoreStatus(detail.user, now) };
}
