// Connects a device from the invitation page: lists the providers and starts a connection.

import type { Services } from '../../../platform/services.ts';
import { openConnection, providerLogoOf } from '../../clouds/connections/index.ts';
import type { ProviderAppServices } from '../../clouds/provider-apps/index.ts';
import { listApps } from '../../clouds/provider-apps/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

export type ConnectableProvider = { readonly id: string; readonly displayName: string; readonly logo: string };

/** The providers that have client credentials in this environment. */
export async function listConnectable(
  services: ProviderAppServices,
  { tenant }: UserHandle,
): Promise<ConnectableProvider[]> {
  return (await listApps(services, tenant)).map(({ provider: { id, displayName } }) => {
    return { id, displayName, logo: providerLogoOf(services, id) };
  });
}

/** The authorization URL; null if the provider cannot be connected here. */
export async function startConnection(
  services: ProviderAppServices & Pick<Services, 'clock' | 'userMutex'>,
  user: UserHandle,
  providerId: string,
): Promise<string | null> {
  const app = (await listApps(services, user.tenant)).find(({ provider }) => provider.id === providerId);
  const begun = app === undefined ? null : await openConnection(services, user, app, { redirectUrl: null });
  return begun?.authUrl ?? null;
}
