// Loads what the pages of a connection show about an authorization request.
import type { RawRequest } from '../../../platform/http/raw-route.ts';
import { createPageContext, type PageContext, readLanguage } from '../../../platform/pages/page-context.ts';
import type { Services } from '../../../platform/services.ts';
import { withParts } from '../../../providers/delivered-metrics.ts';
import { findProvider } from '../../../providers/registry.ts';
import { readAccount, readBranding } from '../../tenancy/accounts/index.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { ConsentRequest } from './connection-pages.ts';

type Visited = Pick<RawRequest, 'query' | 'headers'>;

/** Null: the account is closed, or the account or the provider no longer exists. */
export async function readConsentRequest(
  services: Pick<Services, 'db' | 'settings'>,
  { tenant, provider: id, visit }: AuthorizationRequest,
  request: Visited,
): Promise<ConsentRequest | null> {
  const provider = findProvider(id);
  const stored = await readAccount(services.db, tenant.accountId);
  const account = await readBranding(services, tenant.accountId);
  if (provider === null || account === null || stored === null || stored.closedAt !== null) return null;
  return {
    account,
    context: createPageContext(readLanguage(request, visit.language), account),
    provider: withParts(provider, services.settings.unconfirmedParts.get(provider.id)),
    providerLogo: providerLogoOf(services, provider.id),
    isSandbox: tenant.environment === 'sandbox',
    historyDays: services.settings.backfillDays,
    keepsRoutes: stored.keepsRoutes,
  };
}

/** For a page without a known account. */
export function visitorContext(request: Visited): PageContext {
  return createPageContext(readLanguage(request));
}

/** A path, so that it works under any host name of this service. */
export function providerLogoOf(services: Pick<Services, 'settings'>, id: string): string {
  return `${basePathOf(services)}/providers/${id}.svg`;
}

/** The service may be served below a path of a proxy. */
export function basePathOf({ settings }: Pick<Services, 'settings'>): string {
  return new URL(settings.publicUrl()).pathname.replace(/\/$/, '');
}
