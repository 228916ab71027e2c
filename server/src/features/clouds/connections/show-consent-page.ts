// GET /connect/{secret}: shows who asks for which data. Reading the page decides nothing.
import type { RawReply, RawRequest } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import { type AuthorizationRequest, stageOf } from './authorization-request.ts';
import { mintBrowserKey, readBrowserKey, writeBrowserKey } from './browser-cookie.ts';
import { type ConsentRequest, consentPage, goneLinkPage } from './connection-pages.ts';
import { findAuthorization } from './find-authorization.ts';
import { addOutcome } from './redirect-url.ts';
import { recordOpened } from './store.ts';
import { popupHeaders, readVisit } from './visit.ts';

export async function showConsentPage(
  services: Pick<Services, 'clock' | 'db' | 'settings'>,
  request: RawRequest,
): Promise<RawReply> {
  const found = await findAuthorization(services, request);
  if ('page' in found) return found.page;
  const { authorizationRequest, consentRequest } = found;
  const stage = stageOf(authorizationRequest, services.clock.now());
  if (stage !== 'open') {
    const page = endedLinkPage(consentRequest, authorizationRequest, stage);
    return { ...page, headers: { ...page.headers, ...popupHeaders(readVisit(request)) } };
  }
  await recordOpened(services.db, authorizationRequest, services.clock.now());
  const key = readBrowserKey(authorizationRequest, request) ?? mintBrowserKey();
  return consentPage(consentRequest, {
    formTargets: listFormTargets(authorizationRequest.redirectUrl),
    headers: {
      'set-cookie': writeBrowserKey(services, authorizationRequest, key),
      ...popupHeaders(readVisit(request)),
    },
  });
}

/** The page of a link that was used or has expired, with the way back to the app. */
export function endedLinkPage(
  { context }: ConsentRequest,
  { redirectUrl, deviceId, ending }: AuthorizationRequest,
  stage: 'allowed' | 'used' | 'expired',
): RawReply {
  const expired = { status: 'failed', reason: 'expired', deviceId } as const;
  const known = stage === 'expired' ? expired : ending;
  const back = redirectUrl === null || known === null ? null : addOutcome(redirectUrl, known);
  return goneLinkPage(context, stage === 'expired' ? 'expired' : 'used', back);
}

/** A browser follows a form only to targets that its page allows, through all redirects: the provider's pages, then the app. */
function listFormTargets(redirectUrl: string | null): string[] {
  const scheme = redirectUrl === null ? 'https:' : new URL(redirectUrl).protocol;
  return [...new Set(['https:', scheme])];
}
