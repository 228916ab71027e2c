// Finds our application at a provider: the simulator's in the sandbox, otherwise the customer's own, otherwise the operator's.
import type { AccountId, Tenant } from '../../../domain/tenancy.ts';
import type { Services } from '../../../platform/services.ts';
import type { ClientCredentials, CloudProvider } from '../../../providers/contract.ts';
import { CLOUD_PROVIDERS, findProvider } from '../../../providers/registry.ts';
import { isSandboxApp, liveApp, type ProviderApp, type ProviderAppServices, sandboxApp } from './provider-app.ts';
import { listClientsByApp, readClients, type SealedClient } from './store.ts';

/** Null: no credentials are configured. */
export async function findApp(
  services: ProviderAppServices,
  tenant: Tenant,
  provider: CloudProvider,
): Promise<ProviderApp | null> {
  return (await listApps(services, tenant)).find((app) => app.provider.id === provider.id) ?? null;
}

/** The applications that users can connect through, in the order of the registry. */
export async function listApps(
  services: ProviderAppServices,
  { accountId, environment }: Tenant,
): Promise<ProviderApp[]> {
  if (environment === 'sandbox' && !services.settings.isSandboxOn) return [];
  if (environment === 'sandbox') return CLOUD_PROVIDERS.map((provider) => sandboxApp(services, provider));
  const own = await readClients(services.db, accountId);
  return CLOUD_PROVIDERS.flatMap((provider) => {
    const sealed = own.find((client) => client.provider === provider.id);
    const client = sealed ? openClient(services, sealed) : services.settings.providerClients.get(provider.id);
    return client ? [liveApp(provider, client, services.settings.providerRegions[provider.id])] : [];
  });
}

type AppOfAccount = {
  readonly provider: string;
  readonly appId: string;
  readonly tenant: Pick<Tenant, 'accountId'>;
};

/** `owner`: the customer whose credentials these are. Null: the operator's. */
type Registration = { readonly app: ProviderApp; readonly owner: AccountId | null };

/**
 * Returns the application that an account is connected through, with the customer's credentials if it has any, otherwise the
 * operator's. Null: it was removed.
 */
export async function openAppOf(
  services: ProviderAppServices,
  { provider, appId, tenant }: AppOfAccount,
): Promise<ProviderApp | null> {
  const found = await listRegistrations(services, provider, appId);
  const by = (wanted: AccountId | null) => found.find(({ owner }) => owner === wanted);
  return (by(tenant.accountId) ?? by(null))?.app ?? null;
}

/**
 * Returns one application once per known set of secrets: customers may share it, and after a secret was replaced at the provider
 * only some of them may have the new one. Empty: it was removed.
 */
export async function listAppsById(
  services: ProviderAppServices,
  provider: string,
  appId: string,
): Promise<ProviderApp[]> {
  const apps = (await listRegistrations(services, provider, appId)).map(({ app }) => app);
  return [...new Map(apps.map((app) => [JSON.stringify(app.client), app])).values()];
}

/** The customers who entered credentials of this application. */
export async function listOwners(
  { db }: Pick<Services, 'db'>,
  { id, provider }: Pick<ProviderApp, 'id' | 'provider'>,
): Promise<AccountId[]> {
  return (await listClientsByApp(db, provider.id, id)).map(({ accountId }) => accountId);
}

async function listRegistrations(
  services: ProviderAppServices,
  providerId: string,
  appId: string,
): Promise<Registration[]> {
  const provider = findProvider(providerId);
  if (provider === null) return [];
  if (isSandboxApp(appId) && !services.settings.isSandboxOn) return [];
  if (isSandboxApp(appId)) return [{ app: sandboxApp(services, provider), owner: null }];
  const operators = services.settings.providerClients.get(provider.id);
  const region = services.settings.providerRegions[provider.id];
  const shared = operators && liveApp(provider, operators, region);
  const own = await listClientsByApp(services.db, provider.id, appId);
  return [
    ...(shared?.id === appId ? [{ app: shared, owner: null }] : []),
    ...own.map((sealed) => ({ app: liveApp(provider, openClient(services, sealed), region), owner: sealed.accountId })),
  ];
}

function openClient(
  { secrets }: Pick<Services, 'secrets'>,
  { accountId, provider, clientId, sealedSecret, sealedExtras }: SealedClient,
): ClientCredentials {
  const client = { clientId, clientSecret: secrets.open(sealedSecret, contextOf(accountId, provider)) };
  if (sealedExtras === null) return client;
  return { ...client, extras: JSON.parse(secrets.open(sealedExtras, contextOfExtras(accountId, provider))) };
}

export function contextOf(accountId: AccountId, provider: string): string {
  return `provider client ${accountId} ${provider}`;
}

export function contextOfExtras(accountId: AccountId, provider: string): string {
  return `provider client extras ${accountId} ${provider}`;
}
