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
import { basePathOf } from './consent-request.ts';
import { checkRedirectUrl } from './redirect-url.ts';
import { insertAuthorization, insertPickerLink, removeAuthorizationsOfDevice } from './store.ts';

export const SECRET_PREFIX = 'cn_';

export type BeginInput = {
  readonly userId: string;
  /** Null: the user chooses on the page. */
  readonly provider: string | null;
  readonly redirectUrl: string | null;
};
export type BegunConnection = {
  /** Null, as the provider: the user has not chosen yet. */
  readonly deviceId: DeviceId | null;
  readonly provider: string | null;
  readonly authUrl: string;
  /** The same page on whichever host name the user is. */
  readonly path: string;
};

export async function beginConnection(
  {
    services,
    caller,
  }: { services: ProviderAppServices & Pick<Services, 'clock' | 'userMutex'>; caller: AccountCaller },
  input: BeginInput,
): Promise<BegunConnection> {
  const { tenant } = caller;
  const { userId } = await getUserHandleOrThrow(services.db, tenant, input.userId);
  const provider = input.provider === null ? null : getProviderOrThrow(input.provider);
  const redirectUrl = await readRedirectUrlOrThrow(services, caller, input.redirectUrl);
  if (provider === null) return openPicker(services, { tenant, userId }, redirectUrl);
  const app = await findApp(services, tenant, provider);
  if (app === null) throw new AppError('provider_not_configured', { details: { provider: provider.id } });
  const begun = await openConnection(services, { tenant, userId }, app, { redirectUrl });
  if (begun === null) throw userNotFound(input.userId);
  return begun;
}

/** Null: the user was deleted in the meantime. */
export async function openConnection(
  services: Pick<Services, 'clock' | 'db' | 'settings' | 'userMutex'>,
  { tenant, userId }: Pick<UserHandle, 'tenant' | 'userId'>,
  { id: appId, provider }: ProviderApp,
  { redirectUrl, ...options }: { readonly redirectUrl: string | null; readonly expiresAt?: Date },
): Promise<BegunConnection | null> {
  const secret = mintToken(SECRET_PREFIX);
  const now = services.clock.now();
  const expiresAt = options.expiresAt ?? new Date(now.getTime() + AUTHORIZATION_MS);
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
  return { deviceId, provider: provider.id, ...linkTo(services, secret) };
}

/** A link to the list of providers. It can be opened several times until it expires, to connect several devices. */
async function openPicker(
  services: Pick<Services, 'clock' | 'db' | 'settings'>,
  { tenant, userId }: Pick<UserHandle, 'tenant' | 'userId'>,
  redirectUrl: string | null,
): Promise<BegunConnection> {
  const secret = mintToken(SECRET_PREFIX);
  const now = services.clock.now();
  const expiresAt = new Date(now.getTime() + AUTHORIZATION_MS);
  await insertPickerLink(services.db, hashToken(secret), { tenant, userId, redirectUrl, expiresAt }, now);
  return { deviceId: null, provider: null, ...linkTo(services, secret) };
}

function linkTo(services: Pick<Services, 'settings'>, secret: string): Pick<BegunConnection, 'authUrl' | 'path'> {
  const page = `/connect/${secret}`;
  return { authUrl: `${services.settings.publicUrl()}${page}`, path: `${basePathOf(services)}${page}` };
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
  const schemes = (await readAccount(db, tenant.accountId))?.redirectSchemes ?? [];
  const check = checkRedirectUrl(text, { schemes, environment: tenant.environment });
  if ('url' in check) return check.url;
  throw new AppError('invalid_body', { details: { issues: [{ path: 'redirect_url', message: check.problem }] } });
}
