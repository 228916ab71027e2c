// Ends a connection that failed: the device and its event report why.
import type { Services } from '../../../platform/services.ts';
import { recordEvent } from '../../notify/events/index.ts';
import { closeDevice } from '../../store/devices/index.ts';
import { changeUser } from '../../tenancy/user-core/index.ts';
import type { AuthorizationRequest, ConnectFailure } from './authorization-request.ts';

export async function failConnection(
  services: Pick<Services, 'clock' | 'db' | 'userMutex'>,
  { tenant, userId, deviceId }: Pick<AuthorizationRequest, 'tenant' | 'userId' | 'deviceId'>,
  reason: ConnectFailure,
): Promise<void> {
  await changeUser(services, tenant, userId, async (tx, locked) => {
    if (!locked) return;
    const now = services.clock.now();
    if (await closeDevice(tx, locked.handle, deviceId, reason, now))
      await recordEvent(tx, locked.handle, { type: 'device.failed', deviceId, reason }, now);
  });
}
