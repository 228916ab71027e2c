// Which application of ours speaks to a provider: the simulator's in the sandbox, else the customer's own, else the operator's.
import type { AccountId, Tenant } from '../../domain/tenancy.ts';
import type { Services } from '../../platform/services.ts';
import type { CloudProvider } from '../../providers/contract.ts';
import { CLOUD_PROVIDERS, findProvider } from '../../providers/registry.ts';
import { isSandboxApp, liveApp, type ProviderApp, sandboxApp } from './provider-app.ts';
import { readClientByApp, readClients, type SealedClient } from './store.ts';

/** Null: nobody gave credentials. */
export async function findApp(
  services: Services,
  tenant: Tenant,
  provider: CloudProvider,
): Promise<ProviderApp | null> {
  return (await listApps(services, tenant)).find((app) => app.provider.id === provider.id) ?? null;
}

/** Those that can be connected, in the order of the registry. */
export async function listApps(services: Services, { accountId, environment }: Tenant): Promise<ProviderApp[]> {
  if (environment === 'sandbox') return CLOUD_PROVIDERS.map((provider) => sandboxApp(services, provider));
  const own = await readClients(services.db, accountId);
  return CLOUD_PROVIDERS.flatMap((provider) => {
    const sealed = own.find((client) => client.provider === provider.id);
    const client = sealed ? openClient(services, sealed) : services.settings.providerClients.get(provider.id);
    return client ? [liveApp(provider, client)] : [];
  });
}

/** For those who name an application by its id: notices, and accounts that are connected through it. Null: it is gone. */
export async function openApp(services: Services, providerId: string, appId: string): Promise<ProviderApp | null> {
  const provider = findProvider(providerId);
  if (provider === null) return null;
  if (isSandboxApp(appId)) return sandboxApp(services, provider);
  const operators = services.settings.providerClients.get(provider.id);
  const shared = operators ? liveApp(provider, operators) : null;
  if (shared?.id === appId) return shared;
  const sealed = await readClientByApp(services.db, provider.id, appId);
  return sealed ? liveApp(provider, openClient(services, sealed)) : null;
}

function openClient({ secrets }: Services, { accountId, provider, clientId, sealedSecret }: SealedClient) {
  return { clientId, clientSecret: secrets.open(sealedSecret, placeOf(accountId, provider)) };
}

export function placeOf(accountId: AccountId, provider: string): string {
  return `provider client ${accountId} ${provider}`;
}
