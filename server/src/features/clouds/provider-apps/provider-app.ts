// Our application at a provider: its credentials and the origins of the provider's servers.

import { createHash } from 'node:crypto';
import type { Environment } from '../../../domain/tenancy.ts';
import { isSameSecret } from '../../../platform/crypto/is-same-secret.ts';
import type { Services } from '../../../platform/services.ts';
import type { ClientCredentials, CloudProvider, ProviderOrigins } from '../../../providers/contract.ts';

export type ProviderApp = {
  /** Part of URLs and stored rows: identifies the application without exposing its client id. */
  readonly id: string;
  readonly environment: Environment;
  readonly provider: CloudProvider;
  readonly client: ClientCredentials;
  readonly origins: ProviderOrigins;
};

const SANDBOX_APP = 'sandbox';
const ID_CHARACTERS = 16;

/** `region`: one of the provider's regions. */
export function liveApp(provider: CloudProvider, client: ClientCredentials, region = ''): ProviderApp {
  const id = createHash('sha256').update(`${provider.id} ${client.clientId}`).digest('hex').slice(0, ID_CHARACTERS);
  return { id, environment: 'live', provider, client, origins: provider.regions?.[region] ?? provider.origins };
}

/** What opening an application needs: stored credentials, those of the operator, and the simulator's. */
export type ProviderAppServices = Pick<Services, 'db' | 'secrets' | 'settings' | 'simulator'>;

/** In the sandbox the simulator replaces every provider. */
export function sandboxApp(
  { settings, simulator }: Pick<Services, 'settings' | 'simulator'>,
  provider: CloudProvider,
): ProviderApp {
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
      files: `${api}/${provider.id}`,
    },
  };
}

export function isSandboxApp(appId: string): boolean {
  return appId === SANDBOX_APP;
}

/** Whether the application is shared by all customers without their own. */
export function isOperatorsApp({ settings }: Pick<Services, 'settings'>, { id, provider }: ProviderApp): boolean {
  const client = settings.providerClients.get(provider.id);
  return isSandboxApp(id) || (client !== undefined && liveApp(provider, client).id === id);
}

/** The redirect URI of the provider: one per provider, registered there character by character. */
export function redirectUriOf({ settings }: Pick<Services, 'settings'>, provider: CloudProvider): string {
  return `${settings.publicUrl()}/connect/callback/${provider.id}`;
}

/** The secret that authenticates the provider to us, or us to the provider; unguessable. */
export function verificationTokenOf(
  services: Pick<Services, 'derivedSecrets'>,
  { provider, id }: ProviderApp,
  version: number,
): string {
  return tokenOf(services, provider.id, id, version);
}

/** The version of the webhook secret before the first rotation. */
export const FIRST_WEBHOOK_VERSION = 1;

/**
 * Whether we ever issued this secret for the application's webhook URL. Needs no query, because a rotated secret contains its
 * version.
 */
export function isWebhookSecret(
  services: Pick<Services, 'derivedSecrets'>,
  { provider, appId }: { readonly provider: string; readonly appId: string },
  secret: string,
): boolean {
  const version = Number(/^([1-9]\d{0,5})\./.exec(secret)?.[1] ?? FIRST_WEBHOOK_VERSION);
  return isSameSecret(tokenOf(services, provider, appId, version), secret);
}

function tokenOf(
  { derivedSecrets }: Pick<Services, 'derivedSecrets'>,
  providerId: string,
  appId: string,
  version: number,
): string {
  const purpose = `provider webhooks ${providerId} ${appId}`;
  if (version === FIRST_WEBHOOK_VERSION) return derivedSecrets.of(purpose);
  return `${version}.${derivedSecrets.of(`${purpose} ${version}`)}`;
}

/** The URL that the provider sends webhooks to. In the sandbox both ends are on this machine. */
export function webhookUrlOf(
  services: Pick<Services, 'derivedSecrets' | 'settings'>,
  app: ProviderApp,
  version: number,
): string {
  if (isSandboxApp(app.id)) return sandboxWebhookUrlOf(services, app.provider.id);
  const token = tokenOf(services, app.provider.id, app.id, version);
  return webhookUrl(services.settings.publicUrl(), app.provider.id, app.id, token);
}

/** Never rotated, because both ends are this process. */
export function sandboxWebhookUrlOf(
  services: Pick<Services, 'derivedSecrets' | 'settings'>,
  providerId: string,
): string {
  const token = tokenOf(services, providerId, SANDBOX_APP, FIRST_WEBHOOK_VERSION);
  return webhookUrl(services.settings.ownUrl(), providerId, SANDBOX_APP, token);
}

function webhookUrl(base: string, providerId: string, appId: string, token: string): string {
  return `${base}/provider-webhooks/${providerId}/${appId}/${token}`;
}
