// A requested sync of a sandbox user's ring or watch: adds the days that have ended.
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { Services } from '../../../platform/services.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { findDevices } from './devices.ts';
import { addSandboxDaysJob } from './jobs.ts';

/** False if the device is not one of these. Repeated requests before it starts are one sync. */
export function requestDays(
  { db, jobs }: Pick<Services, 'db' | 'jobs'>,
  user: UserHandle,
  deviceId: DeviceId,
): Promise<boolean> {
  const { userId, tenant } = user;
  return db.transaction(async (tx) => {
    const seeded = [...(await findDevices(tx, user)).values()];
    if (!seeded.some(({ id, transport }) => id === deviceId && transport === 'cloud')) return false;
    const payload = { user_id: userId, account_id: tenant.accountId };
    await jobs.enqueue(tx, addSandboxDaysJob, payload, { coalesceBy: userId, account: tenant.accountId });
    return true;
  });
}
