// A link without a provider: GET shows the list of providers, POST starts the connection with the chosen one.
import { hashToken } from '../../../platform/crypto/opaque-token.ts';
import type { RawReply, RawRequest } from '../../../platform/http/raw-route.ts';
import { createPageContext, readLanguage } from '../../../platform/pages/page-context.ts';
import { readForm } from '../../../platform/pages/read-form.ts';
import type { Services } from '../../../platform/services.ts';
import { readBranding } from '../../tenancy/accounts/index.ts';
import { openUser } from '../../tenancy/user-core/index.ts';
import { listApps, type ProviderAppServices } from '../provider-apps/index.ts';
import type { PickerLink } from './authorization-request.ts';
import { openConnection } from './begin-connection.ts';
import { crossOriginFormPage, goneLinkPage, pickPage, unclearDecisionPage } from './connection-pages.ts';
import { providerLogoOf, visitorContext } from './consent-request.ts';
import { redirectUser } from './end-connection.ts';
import { isSameOriginForm } from './same-origin-form.ts';
import { readPickerLink } from './store.ts';
import { popupHeaders, readVisit, writeVisit } from './visit.ts';

/** Null: the link is not one of a list. */
export async function answerPicker(
  services: ProviderAppServices & Pick<Services, 'clock' | 'userMutex'>,
  request: RawRequest,
): Promise<RawReply | null> {
  const link = await readPickerLink(services.db, hashToken(request.params.secret ?? ''));
  if (link === null) return null;
  const account = await readBranding(services, link.tenant.accountId);
  const user = await openUser(services.db, link.tenant, link.userId);
  if (account === null || user === null) return goneLinkPage(visitorContext(request), 'unknown');
  const context = createPageContext(readLanguage(request), account);
  if (link.expiresAt <= services.clock.now()) return goneLinkPage(context, 'expired', link.redirectUrl);
  if (request.method === 'POST') {
    if (!isSameOriginForm(services, request, false)) return crossOriginFormPage(context);
    return (await pick(services, link, request)) ?? unclearDecisionPage(context);
  }
  const isSandbox = link.tenant.environment === 'sandbox';
  const providers = (await listApps(services, link.tenant)).map(({ provider: { id, displayName } }) => {
    return { id, displayName, logo: providerLogoOf(services, id) };
  });
  return pickPage({ context, account, isSandbox, providers }, { headers: popupHeaders(readVisit(request)) });
}

/** Null: the provider cannot be connected. */
async function pick(
  services: ProviderAppServices & Pick<Services, 'clock' | 'userMutex'>,
  { tenant, userId, redirectUrl }: PickerLink,
  request: RawRequest,
): Promise<RawReply | null> {
  const chosen = readForm(request).get('provider');
  const app = (await listApps(services, tenant)).find(({ provider }) => provider.id === chosen);
  const begun = app === undefined ? null : await openConnection(services, { tenant, userId }, app, { redirectUrl });
  return begun && redirectUser(`${begun.path}${writeVisit(readVisit(request))}`, {});
}
