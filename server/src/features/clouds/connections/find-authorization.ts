// Finds the authorization request of a hosted page by the secret in its URL, or returns the page that says why there is none.
import { hashToken, isWellFormedToken } from '../../../platform/crypto/opaque-token.ts';
import type { RawReply } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import { openUser } from '../../tenancy/user-core/index.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { SECRET_PREFIX } from './begin-connection.ts';
import { type ConsentRequest, goneLinkPage, unknownPage } from './connection-pages.ts';
import { readConsentRequest } from './consent-request.ts';
import { readAuthorizationBySecret } from './store.ts';

type FoundAuthorization = {
  readonly authorizationRequest: AuthorizationRequest;
  readonly consentRequest: ConsentRequest;
};

export async function findAuthorization(
  services: Pick<Services, 'db' | 'settings'>,
  secret: string,
): Promise<FoundAuthorization | { page: RawReply }> {
  if (!isWellFormedToken(SECRET_PREFIX, secret)) return { page: { ...unknownPage(), isWrongGuess: true } };
  const authorizationRequest = await readAuthorizationBySecret(services.db, hashToken(secret));
  if (authorizationRequest === null) return { page: { ...goneLinkPage('unknown'), isWrongGuess: true } };
  const user = await openUser(services.db, authorizationRequest.tenant, authorizationRequest.userId);
  const consentRequest = await readConsentRequest(services, authorizationRequest);
  return user === null || consentRequest === null
    ? { page: goneLinkPage('unknown') }
    : { authorizationRequest, consentRequest };
}
