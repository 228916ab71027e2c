// Finds the authorization request of a hosted page by the secret in its URL, or returns the page that says why there is none.
import { hashToken, isWellFormedToken } from '../../../platform/crypto/opaque-token.ts';
import type { RawReply, RawRequest } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import { openUser } from '../../tenancy/user-core/index.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { SECRET_PREFIX } from './begin-connection.ts';
import { type ConsentRequest, goneLinkPage, unknownPage } from './connection-pages.ts';
import { readConsentRequest, visitorContext } from './consent-request.ts';
import { readAuthorizationBySecret } from './store.ts';

export type FoundAuthorization = {
  readonly authorizationRequest: AuthorizationRequest;
  readonly consentRequest: ConsentRequest;
};

export async function findAuthorization(
  services: Pick<Services, 'db' | 'settings'>,
  request: RawRequest,
): Promise<FoundAuthorization | { page: RawReply }> {
  const { secret = '' } = request.params;
  const context = visitorContext(request);
  if (!isWellFormedToken(SECRET_PREFIX, secret)) return { page: { ...unknownPage(context), isWrongGuess: true } };
  const found = await readAuthorizationBySecret(services.db, hashToken(secret));
  if (found === null) return { page: { ...goneLinkPage(context, 'unknown'), isWrongGuess: true } };
  return openAuthorization(services, found, request);
}

/** Also checks that the user still exists. */
export async function openAuthorization(
  services: Pick<Services, 'db' | 'settings'>,
  authorizationRequest: AuthorizationRequest,
  request: RawRequest,
): Promise<FoundAuthorization | { page: RawReply }> {
  const user = await openUser(services.db, authorizationRequest.tenant, authorizationRequest.userId);
  const consentRequest = await readConsentRequest(services, authorizationRequest, request);
  return user === null || consentRequest === null
    ? { page: goneLinkPage(visitorContext(request), 'unknown') }
    : { authorizationRequest, consentRequest };
}
