// Where a connection ends for the person: back in the app, or on a page that says what came of it.
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { RawReply } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { writeBrowserKey } from './browser-cookie.ts';
import { connectedPage, type FailureReason, failedPage, goneLinkPage } from './connection-pages.ts';
import { readConsentRequest } from './consent-request.ts';
import { addOutcome } from './redirect-url.ts';
import { redirectPerson } from './redirect-user.ts';

export type Ending =
  | { readonly status: 'active'; readonly deviceId: DeviceId }
  | { readonly status: 'failed'; readonly reason: FailureReason };

export async function land(
  services: Services,
  authorizationRequest: AuthorizationRequest,
  ending: Ending,
): Promise<RawReply> {
  const cookie = { 'set-cookie': writeBrowserKey(services, authorizationRequest, '') };
  if (authorizationRequest.redirectUrl !== null) {
    const deviceId = ending.status === 'active' ? ending.deviceId : authorizationRequest.deviceId;
    return redirectPerson(addOutcome(authorizationRequest.redirectUrl, { deviceId, status: ending.status }), cookie);
  }
  const consentRequest = await readConsentRequest(services, authorizationRequest);
  if (consentRequest === null) return goneLinkPage('unknown');
  return ending.status === 'active'
    ? connectedPage(consentRequest, cookie)
    : failedPage(consentRequest, ending.reason, cookie);
}
