// Ends a connection for the user: redirects back to the app, or shows a result page.
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { RawReply } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { writeBrowserKey } from './browser-cookie.ts';
import { connectedPage, type FailureReason, failedPage, goneLinkPage } from './connection-pages.ts';
import { readConsentRequest } from './consent-request.ts';
import { addOutcome } from './redirect-url.ts';

export type Ending =
  | { readonly status: 'active'; readonly deviceId: DeviceId }
  | { readonly status: 'failed'; readonly reason: FailureReason };

export async function redirectBack(
  services: Pick<Services, 'db' | 'settings'>,
  authorizationRequest: AuthorizationRequest,
  ending: Ending,
): Promise<RawReply> {
  const cookie = { 'set-cookie': writeBrowserKey(services, authorizationRequest, '') };
  if (authorizationRequest.redirectUrl !== null) {
    const deviceId = ending.status === 'active' ? ending.deviceId : authorizationRequest.deviceId;
    return redirectUser(addOutcome(authorizationRequest.redirectUrl, { deviceId, status: ending.status }), cookie);
  }
  const consentRequest = await readConsentRequest(services, authorizationRequest);
  if (consentRequest === null) return goneLinkPage('unknown');
  return ending.status === 'active'
    ? connectedPage(consentRequest, cookie)
    : failedPage(consentRequest, ending.reason, cookie);
}

/** Status 303, so that a posted form is never posted again (RFC 9700, 4.12). */
export function redirectUser(location: string, headers: Readonly<Record<string, string>>): RawReply {
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', ...headers },
  };
}
