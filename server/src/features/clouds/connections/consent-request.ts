// Loads what the consent page shows about an authorization request.
import type { Services } from '../../../platform/services.ts';
import type { CloudProvider } from '../../../providers/contract.ts';
import { findProvider } from '../../../providers/registry.ts';
import { readAccount } from '../../tenancy/accounts/index.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { ConsentRequest } from './connection-pages.ts';

/** Null: the account is closed, or the account or the provider no longer exists. */
export async function readConsentRequest(
  services: Pick<Services, 'db' | 'settings'>,
  { tenant, provider: id }: AuthorizationRequest,
): Promise<ConsentRequest | null> {
  const provider = findProvider(id);
  const account = await readAccount(services.db, tenant.accountId);
  if (provider === null || account === null || account.closedAt !== null) return null;
  const isSandbox = tenant.environment === 'sandbox';
  const { backfillDays: historyDays } = services.settings;
  return { account, provider, providerLogo: logoOf(services, provider), isSandbox, historyDays };
}

/** A path, so that it works under any host name of this service. */
function logoOf({ settings }: Pick<Services, 'settings'>, { id }: CloudProvider): string {
  return `${new URL(settings.publicUrl()).pathname.replace(/\/$/, '')}/providers/${id}.svg`;
}
