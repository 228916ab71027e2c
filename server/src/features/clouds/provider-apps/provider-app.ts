// Who we are at a provider: one application there, with its credentials, and where its servers are.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Environment } from '../../../domain/tenancy.ts';
import type { Services } from '../../../platform/services.ts';
import type { ClientCredentials, CloudProvider, ProviderOrigins } from '../../../providers/contract.ts';

export type ProviderApp = {
  /** Stands in addresses and stored rows: tells applications apart without giving anything away. */
  readonly id: string;
  readonly environment: Environment;
  readonly provider: CloudProvider;
  readonly client: ClientCredentials;
  readonly origins: ProviderOrigins;
};

const SANDBOX_APP = 'sandbox';
const ID_CHARACTERS = 16;

export function liveApp(provider: CloudProvider, client: ClientCredentials): ProviderApp {
  const id = createHash('sha256').update(`${provider.id} ${client.clientId}`).digest('hex').slice(0, ID_CHARACTERS);
  return { id, environment: 'live', provider, client, origins: provider.origins };
}

/** In the sandbox the simulator stands in for every provider. */
export function sandboxApp({ settings, simulator }: Services, provider: CloudProvider): ProviderApp {
  const { pages, api } = settings.simulator();
  return {
    id: SANDBOX_APP,
    environment: 'sandbox',
    provider,
    client: simulator.clientOf(provider.id),
    origins: {
      authorize: `${pages}/${provider.id}`,
      token: `${api}/${provider.id}`,
      api: `${api}/${provider.id}`,
      keys: `${api}/${provider.id}`,
    },
  };
}

export function isSandboxApp(appId: string): boolean {
  return appId === SANDBOX_APP;
}

/** Shared by all customers that have none of their own. */
export function isOperatorsApp({ settings }: Services, { id, provider }: ProviderApp): boolean {
  const client = settings.providerClients.get(provider.id);
  return isSandboxApp(id) || (client !== undefined && liveApp(provider, client).id === id);
}

/** Where the provider sends the person back to: one address a provider, registered there character by character. */
export function redirectUriOf({ settings }: Services, provider: CloudProvider): string {
  return `${settings.publicUrl()}/connect/callback/${provider.id}`;
}

/** What the provider proves itself by, or what we prove ourselves by to it; unguessable. */
export function verificationTokenOf(services: Services, { provider, id }: ProviderApp, version: number): string {
  return tokenOf(services, provider.id, id, version);
}

/** Of the address of its webhooks, until it is rotated. */
export const FIRST_WEBHOOK_VERSION = 1;

/** Whether we ever gave out this secret for the path of the application's webhooks. No query: a later one names its version. */
export function isWebhookSecret(
  services: Services,
  { provider, appId }: { readonly provider: string; readonly appId: string },
  secret: string,
): boolean {
  const version = Number(/^([1-9]\d{0,5})\./.exec(secret)?.[1] ?? FIRST_WEBHOOK_VERSION);
  const [sent, ours] = [Buffer.from(secret), Buffer.from(tokenOf(services, provider, appId, version))];
  return sent.length === ours.length && timingSafeEqual(sent, ours);
}

function tokenOf({ derivedSecrets }: Services, providerId: string, appId: string, version: number): string {
  const purpose = `provider webhooks ${providerId} ${appId}`;
  if (version === FIRST_WEBHOOK_VERSION) return derivedSecrets.of(purpose);
  return `${version}.${derivedSecrets.of(`${purpose} ${version}`)}`;
}

/** Where the provider tells us that something is new. The simulator is on this machine, and so are we. */
export function webhookUrlOf(services: Services, app: ProviderApp, version: number): string {
  if (isSandboxApp(app.id)) return sandboxWebhookUrlOf(services, app.provider.id);
  const token = tokenOf(services, app.provider.id, app.id, version);
  return webhookUrl(services.settings.publicUrl(), app.provider.id, app.id, token);
}

/** Never rotated: both ends are this process. */
export function sandboxWebhookUrlOf(services: Services, providerId: string): string {
  const token = tokenOf(services, providerId, SANDBOX_APP, FIRST_WEBHOOK_VERSION);
  return webhookUrl(services.settings.ownUrl(), providerId, SANDBOX_APP, token);
}

function webhookUrl(base: string, providerId: string, appId: string, token: string): string {
  return `${base}/provider-webhooks/${providerId}/${appId}/${token}`;
}
