// Stores the tokens and activates the device, in one transaction with its event and its backfill.

import type { DeviceId } from '../../../domain/tenancy.ts';
import type { Services } from '../../../platform/services.ts';
import { recordEvent } from '../../notify/events/index.ts';
import { connectCloudDevice, listDevices, recordScopes } from '../../store/devices/index.ts';
import { changeUser } from '../../tenancy/user-core/index.ts';
import { connectAccount, readProviderAccount } from '../provider-accounts/index.ts';
import type { ProviderApp, ProviderAppServices } from '../provider-apps/index.ts';
import { beginBackfill, sharesMore } from '../sync/index.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { IssuedTokens } from './exchange-code.ts';
import { compareScopes } from './granted-scopes.ts';

/** Returns the device to report. Null: the user or device was deleted in the meantime, or the device limit is reached. */
export function storeTokens(
  services: ProviderAppServices & Pick<Services, 'clock' | 'userMutex'>,
  { tenant, userId, deviceId }: AuthorizationRequest,
  { id: appId, provider }: ProviderApp,
  { tokens, providerUserId }: IssuedTokens,
): Promise<DeviceId | null> {
  return changeUser(services, tenant, userId, async (tx, locked) => {
    if (!locked) return null;
    const user = locked.handle;
    const now = services.clock.now();
    const listed = await listDevices(tx, user, now);
    if (!listed.some(({ id }) => id === deviceId)) return null;
    const connection = { deviceId, provider: provider.id, deviceClass: provider.deviceClass, providerUserId };
    const connected = await connectCloudDevice(tx, user, connection, now);
    if (connected === null) return null;
    const account = { deviceId: connected.deviceId, provider: provider.id, appId, providerUserId };
    const before = await readProviderAccount(tx, user, connected.deviceId);
    const isMore = before !== null && (await sharesMore(tx, user, before.account, tokens));
    await connectAccount(services, tx, user, account, tokens);
    const scopes = compareScopes(provider, tokens);
    for (const id of new Set([connected.deviceId, connected.requestedId])) await recordScopes(tx, user, id, scopes);
    for (const id of connected.activated) await recordEvent(tx, user, { type: 'device.connected', deviceId: id }, now);
    if (isMore || connected.activated.includes(connected.deviceId))
      await beginBackfill(services, tx, user, connected.deviceId);
    return connected.requestedId;
  });
}
