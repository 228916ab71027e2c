// Marks the device of a failed connection. A device that already has data keeps its earlier status.
import type { Services } from '../../../platform/services.ts';
import { closeDevice } from '../../store/devices/index.ts';
import { changeUser } from '../../tenancy/user-core/index.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

export async function failConnection(
  services: Pick<Services, 'clock' | 'db' | 'userMutex'>,
  { tenant, userId, deviceId }: AuthorizationRequest,
): Promise<void> {
  await changeUser(services, tenant, userId, async (tx, locked) => {
    if (locked) await closeDevice(tx, locked.handle, deviceId, services.clock.now());
  });
}
