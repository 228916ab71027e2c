// Who asks for the connection of an attempt, as its pages show it.
import type { Services } from '../../../platform/services.ts';
import type { CloudProvider } from '../../../providers/contract.ts';
import { findProvider } from '../../../providers/registry.ts';
import { readAccount } from '../../tenancy/accounts/index.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { ConsentRequest } from './connection-pages.ts';

/** Null: the account or the provider is no longer there. */
export async function readConsentRequest(
  services: Services,
  { tenant, provider: id }: AuthorizationRequest,
): Promise<ConsentRequest | null> {
  const provider = findProvider(id);
  const account = await readAccount(services.db, tenant.accountId);
  if (provider === null || account === null) return null;
  const isSandbox = tenant.environment === 'sandbox';
  const { backfillDays: historyDays } = services.settings;
  return { account, provider, providerMark: markOf(services, provider), isSandbox, historyDays };
}

/** On the origin of the page, whatever name it was opened by. */
function markOf({ settings }: Services, { id }: CloudProvider): string {
  return `${new URL(settings.publicUrl()).pathname.replace(/\/$/, '')}/providers/${id}.svg`;
}
