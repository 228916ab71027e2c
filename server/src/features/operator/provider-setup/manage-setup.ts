// The OAuth clients of accounts and the operator at each provider.

import type { AccountId, Environment } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import type { ClientCredentials, CloudProvider } from '../../../providers/contract.ts';
import { CLOUD_PROVIDERS, findProvider } from '../../../providers/registry.ts';
import type { ProviderAppServices } from '../../clouds/provider-apps/index.ts';
import {
  dropClient,
  findApp,
  isOperatorsApp,
  keepClient,
  listApps,
  listAppsById,
  type ProviderApp,
  redirectUriOf,
  webhookUrlOf,
} from '../../clouds/provider-apps/index.ts';
import { openRegistration } from '../../clouds/subscriptions/index.ts';
import { type Actor, getAccountOrThrow, insertAudit } from '../../tenancy/accounts/index.ts';
import { checkSetup, type SetupCheck, type UrlVisibility } from './check-setup.ts';

export type ProviderSetup = {
  readonly provider: CloudProvider;
  /** Null: no credentials are configured. */
  readonly credentials: 'account' | 'operator' | null;
  readonly clientId: string | null;
  readonly redirectUri: string;
  readonly webhookUrl: string | null;
};

export type SetupReport = { readonly setup: ProviderSetup; readonly checks: readonly SetupCheck[] };

/** For the live environment; the sandbox always uses the simulator. */
export async function listSetups(
  services: Pick<Services, 'db' | 'derivedSecrets' | 'secrets' | 'settings' | 'simulator'>,
  account: string,
): Promise<ProviderSetup[]> {
  const { id: accountId } = await getAccountOrThrow(services, account);
  const apps = await listApps(services, { accountId, environment: 'live' });
  return Promise.all(
    CLOUD_PROVIDERS.map((provider) =>
      describeSetup(services, provider, apps.find((app) => app.provider.id === provider.id) ?? null),
    ),
  );
}

export async function setClient(
  services: Pick<Services, 'clock' | 'db' | 'derivedSecrets' | 'secrets' | 'settings'>,
  { account, provider: id, client }: { account: string; provider: string; client: ClientCredentials },
  by: Actor,
): Promise<ProviderSetup> {
  const provider = getProviderOrThrow(id);
  const { id: accountId } = await getAccountOrThrow(services, account);
  const act = { action: 'provider.application_set', provider, details: { client_id: client.clientId } };
  const record = recordSetupChange(services, accountId, act, by);
  return describeSetup(services, provider, await keepClient(services, accountId, provider, client, record));
}

export async function unsetClient(
  services: Pick<Services, 'clock' | 'db'>,
  { account, provider: id }: { account: string; provider: string },
  by: Actor,
): Promise<boolean> {
  const provider = getProviderOrThrow(id);
  const { id: accountId } = await getAccountOrThrow(services, account);
  const record = recordSetupChange(services, accountId, { action: 'provider.application_removed', provider }, by);
  return dropClient(services, accountId, provider, record);
}

/** Returns what writes the audit entry in the transaction of the change. */
export function recordSetupChange(
  { clock }: Pick<Services, 'clock'>,
  accountId: AccountId,
  act: {
    readonly action: string;
    readonly provider: CloudProvider;
    readonly details?: Readonly<Record<string, unknown>>;
  },
  actor: Actor,
): (tx: Transaction) => Promise<void> {
  const { action, provider, details } = act;
  const entry = { at: clock.now(), actor, action, subject: provider.id, ...(details && { details }) };
  return (tx) => insertAudit(tx, { accountId, environment: 'live', ...entry });
}

export async function checkProvider(
  services: ProviderAppServices & Pick<Services, 'derivedSecrets' | 'outbound' | 'ownOutbound'>,
  { account, provider: id, environment }: { account: string; provider: string; environment: Environment },
  by: 'operator' | 'member',
): Promise<SetupReport> {
  const provider = getProviderOrThrow(id);
  const { id: accountId } = await getAccountOrThrow(services, account);
  const app = await findApp(services, { accountId, environment }, provider);
  const setup = await describeSetup(services, provider, app);
  if (app !== null) {
    const visibility = by === 'operator' ? 'always' : await visibilityForMembers(services, app);
    return { setup, checks: await checkSetup(services, app, visibility) };
  }
  const message = `none; set them with "tributary providers set ${provider.id}", or set the operator's environment variables`;
  return { setup, checks: [{ name: 'credentials', outcome: 'failed', message }] };
}

/** Customers share the operator's application and its webhook URL, and may share one of their own. */
export async function visibilityForMembers(services: ProviderAppServices, app: ProviderApp): Promise<UrlVisibility> {
  const registrations = await listAppsById(services, app.provider.id, app.id);
  return isOperatorsApp(services, app) || registrations.length > 1 ? 'never' : 'confirmed';
}

async function describeSetup(
  services: Pick<Services, 'db' | 'derivedSecrets' | 'secrets' | 'settings'>,
  provider: CloudProvider,
  app: ProviderApp | null,
): Promise<ProviderSetup> {
  const isShared = app !== null && isOperatorsApp(services, app);
  return {
    provider,
    credentials: app === null ? null : isShared ? 'operator' : 'account',
    clientId: app?.client.clientId ?? null,
    redirectUri: redirectUriOf(services, provider),
    webhookUrl:
      app === null || provider.webhook === null
        ? null
        : webhookUrlOf(services, app, (await openRegistration(services, app)).webhookVersion),
  };
}

export function getProviderOrThrow(id: string): CloudProvider {
  const provider = findProvider(id);
  if (provider === null) throw new AppError('unknown_provider', { details: { provider: id } });
  return provider;
}
