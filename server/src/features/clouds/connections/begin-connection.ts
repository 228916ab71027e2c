// Creates the hosted page on which a user connects a provider account.

import { ON_DEVICE_PROVIDERS } from '../../../domain/provider-ids.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import { hashToken, mintToken } from '../../../platform/crypto/opaque-token.ts';
import { AppError } from '../../../platform/errors.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import type { CloudProvider } from '../../../providers/contract.ts';
import { findProvider } from '../../../providers/registry.ts';
import { openCloudDevice } from '../../store/devices/index.ts';
import { readAccount } from '../../tenancy/accounts/index.ts';
import { changeUser, getUserHandleOrThrow, type UserHandle, userNotFound } from '../../tenancy/user-core/index.ts';
import type { ProviderAppServices } from '../provider-apps/index.ts';
import { findApp, type ProviderApp } from '../provider-apps/index.ts';
import { AUTHORIZATION_MS } from './authorization-request.ts';
import { checkRedirectUrl } from './redirect-url.ts';
import { insertAuthorization, removeAuthorizationsOfDevice } from './store.ts';

export const SECRET_PREFIX = 'cn_';

export type BeginInput = { readonly userId: string; readonly provider: string; readonly redirectUrl: string | null };
export type BegunConnection = { readonly deviceId: DeviceId; readonly provider: string; readonly authUrl: string };

export async function beginConnection(
  {
    services,
    caller,
  }: { services: ProviderAppServices & Pick<Services, 'clock' | 'userMutex'>; caller: AccountCaller },
  input: BeginInput,
): Promise<BegunConnection> {
  const { tenant } = caller;
  const { userId } = await getUserHandleOrThrow(services.db, tenant, input.userId);
  const provider = getProviderOrThrow(input.provider);
  const redirectUrl = await readRedirectUrlOrThrow(services, caller, input.redirectUrl);
  const app = await findApp(services, tenant, provider);
  if (app === null) throw new AppError('provider_not_configured', { details: { provider: provider.id } });
  const begun = await openConnection(services, { tenant, userId }, app, redirectUrl);
  if (begun === null) throw userNotFound(input.userId);
  return begun;
}

/** Null: the user was deleted in the meantime. */
export async function openConnection(
  services: Pick<Services, 'clock' | 'db' | 'settings' | 'userMutex'>,
  { tenant, userId }: Pick<UserHandle, 'tenant' | 'userId'>,
  { id: appId, provider }: ProviderApp,
  redirectUrl: string | null,
): Promise<BegunConnection | null> {
  const secret = mintToken(SECRET_PREFIX);
  const now = services.clock.now();
  const expiresAt = new Date(now.getTime() + AUTHORIZATION_MS);
  const deviceId = await changeUser(services, tenant, userId, async (tx, locked) => {
    if (!locked) return null;
    const user = locked.handle;
    const opening = { provider: provider.id, deviceClass: provider.deviceClass, closesAt: expiresAt };
    const id = await openCloudDevice(tx, user, opening, now);
    await removeAuthorizationsOfDevice(tx, user, id); // earlier links stop working
    const authorizationRequest = { deviceId: id, provider: provider.id, appId, redirectUrl, expiresAt };
    await insertAuthorization(tx, user, { secretHash: hashToken(secret), ...authorizationRequest }, now);
    return id;
  });
  if (deviceId === null) return null;
  return { deviceId, provider: provider.id, authUrl: `${services.settings.publicUrl()}/connect/${secret}` };
}

function getProviderOrThrow(id: string): CloudProvider {
  const provider = findProvider(id);
  if (provider !== null) return provider;
  const isOnDevice = ON_DEVICE_PROVIDERS.some((known) => known === id);
  throw new AppError(isOnDevice ? 'connects_through_sdk' : 'unknown_provider', { details: { provider: id } });
}

async function readRedirectUrlOrThrow(
  { db }: Pick<Services, 'db'>,
  { tenant }: AccountCaller,
  text: string | null,
): Promise<string | null> {
  if (text === null) return null;
  const check = checkRedirectUrl(text, (await readAccount(db, tenant.accountId))?.redirectSchemes ?? []);
  if ('url' in check) return check.url;
  throw new AppError('invalid_body', { details: { issues: [{ path: 'redirect_url', message: check.problem }] } });
}
