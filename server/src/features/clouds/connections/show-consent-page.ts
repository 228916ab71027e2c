// GET /connect/{secret}: shows who asks for which data. Reading the page decides nothing.
import type { RawReply, RawRequest } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import { stageOf } from './authorization-request.ts';
import { mintBrowserKey, readBrowserKey, writeBrowserKey } from './browser-cookie.ts';
import { consentPage, goneLinkPage } from './connection-pages.ts';
import { findAuthorization } from './find-authorization.ts';
import { recordOpened } from './store.ts';

export async function showConsentPage(
  services: Pick<Services, 'clock' | 'db' | 'settings'>,
  request: RawRequest,
): Promise<RawReply> {
  const found = await findAuthorization(services, request.params.secret ?? '');
  if ('page' in found) return found.page;
  const { authorizationRequest, consentRequest } = found;
  const stage = stageOf(authorizationRequest, services.clock.now());
  if (stage !== 'open') return goneLinkPage(stage === 'expired' ? 'expired' : 'used');
  await recordOpened(services.db, authorizationRequest, services.clock.now());
  const key = readBrowserKey(authorizationRequest, request) ?? mintBrowserKey();
  return consentPage(consentRequest, {
    formTargets: listFormTargets(authorizationRequest.redirectUrl),
    headers: { 'set-cookie': writeBrowserKey(services, authorizationRequest, key) },
  });
}

/** A browser follows a form only to targets that its page allows, through all redirects: the provider's pages, then the app. */
function listFormTargets(redirectUrl: string | null): string[] {
  const scheme = redirectUrl === null ? 'https:' : new URL(redirectUrl).protocol;
  return [...new Set(['https:', scheme])];
}
