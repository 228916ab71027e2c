// GET /connect/callback/{provider}: the user returns from the provider. Only the browser that left may complete the connection,
// once.

import { hashToken } from '../../../platform/crypto/opaque-token.ts';
import type { RawReply, RawRequest } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import type { ProviderAppServices } from '../provider-apps/index.ts';
import { openAppOf, type ProviderApp } from '../provider-apps/index.ts';
import {
  type AuthorizationRequest,
  type AuthorizationState,
  type ConnectFailure,
  contextOfState,
  type Ending,
  stageOf,
} from './authorization-request.ts';
import { isSameBrowser } from './browser-cookie.ts';
import { goneLinkPage, invalidCallbackPage, otherBrowserPage } from './connection-pages.ts';
import { readConsentRequest, visitorContext } from './consent-request.ts';
import { revokeTokens } from './deauthorize.ts';
import { endConnection } from './end-connection.ts';
import { exchangeForTokens, type IssuedTokens } from './exchange-code.ts';
import { readRedirectScopes, sharesData } from './granted-scopes.ts';
import { readCallback } from './read-callback.ts';
import { endedLinkPage } from './show-consent-page.ts';
import { finishAuthorization, readAuthorizationByState } from './store.ts';
import { storeTokens } from './store-tokens.ts';

export async function receiveCallback(
  services: ProviderAppServices & Pick<Services, 'clock' | 'jobs' | 'log' | 'outbound' | 'ownOutbound' | 'userMutex'>,
  request: RawRequest,
): Promise<RawReply> {
  const context = visitorContext(request);
  const [state, ...others] = request.query.getAll('state');
  if (!state || others.length > 0) return invalidCallbackPage(context);
  const authorizationRequest = await readAuthorizationByState(services.db, hashToken(state));
  if (authorizationRequest === null) return { ...invalidCallbackPage(context), isWrongGuess: true };
  if (authorizationRequest.finishedAt !== null) return usedPage(services, authorizationRequest, request); // the cookie is gone
  if (!isSameBrowser(authorizationRequest, request)) return otherBrowserPage(context); // another browser must not end the request
  const now = services.clock.now();
  const stage = stageOf(authorizationRequest, now);
  if (stage === 'expired') return endConnection(services, authorizationRequest, fail(authorizationRequest, 'expired'));
  if (stage !== 'allowed' || !(await finishAuthorization(services.db, authorizationRequest, now)))
    return usedPage(services, authorizationRequest, request);
  const ending = await useAnswer(services, authorizationRequest, request);
  return endConnection(services, authorizationRequest, ending);
}

async function usedPage(
  services: Pick<Services, 'db' | 'settings'>,
  authorizationRequest: AuthorizationRequest,
  request: RawRequest,
): Promise<RawReply> {
  const consentRequest = await readConsentRequest(services, authorizationRequest, request);
  return consentRequest === null
    ? goneLinkPage(visitorContext(request), 'used')
    : endedLinkPage(consentRequest, authorizationRequest, 'used');
}

function fail({ deviceId }: AuthorizationRequest, reason: ConnectFailure): Ending {
  return { status: 'failed', deviceId, reason };
}

async function useAnswer(
  services: ProviderAppServices & Pick<Services, 'clock' | 'jobs' | 'log' | 'outbound' | 'ownOutbound' | 'userMutex'>,
  authorizationRequest: AuthorizationRequest,
  request: RawRequest,
): Promise<Ending> {
  const log = services.log.child({ provider: authorizationRequest.provider, device_id: authorizationRequest.deviceId });
  try {
    const ending = await connect(services, authorizationRequest, request, (step) =>
      log.info({ step }, 'connecting a device failed'),
    );
    return ending;
  } catch (error) {
    log.error({ err: error }, 'connecting a device failed with an internal error');
    return fail(authorizationRequest, 'provider_error');
  }
}

async function connect(
  services: ProviderAppServices & Pick<Services, 'clock' | 'jobs' | 'outbound' | 'ownOutbound' | 'userMutex'>,
  authorizationRequest: AuthorizationRequest,
  { params, query }: RawRequest,
  logStep: (step: string) => void,
): Promise<Ending> {
  const app = await openAppOf(services, authorizationRequest);
  if (app === null || authorizationRequest.sealedState === null) return fail(authorizationRequest, 'provider_error');
  const authorization = JSON.parse(
    services.secrets.open(authorizationRequest.sealedState, contextOfState(authorizationRequest)),
  ) as AuthorizationState;
  // A code at another provider's callback may come from a mix-up attack, so it is not exchanged.
  const parsed =
    params.provider === authorizationRequest.provider
      ? await readCallback(app.provider.oauth, app.client.clientId, query, authorization.state)
      : ({ failed: 'unsound' } as const);
  if ('code' in parsed)
    return useCode(
      services,
      {
        authorizationRequest,
        app,
        authorization,
        code: parsed.code,
        redirectScopes: readRedirectScopes(app.provider.oauth, query),
      },
      logStep,
    );
  logStep(`callback ${parsed.failed}`);
  return fail(authorizationRequest, parsed.failed === 'denied' ? 'declined' : 'provider_error');
}

type ReceivedCode = {
  readonly authorizationRequest: AuthorizationRequest;
  readonly app: ProviderApp;
  readonly authorization: AuthorizationState;
  readonly code: string;
  /** Null: the redirect did not list the granted scopes. */
  readonly redirectScopes: readonly string[] | null;
};

async function useCode(
  services: ProviderAppServices & Pick<Services, 'clock' | 'jobs' | 'outbound' | 'ownOutbound' | 'userMutex'>,
  { authorizationRequest, app, authorization, code, redirectScopes }: ReceivedCode,
  logStep: (step: string) => void,
): Promise<Ending> {
  const exchange = { code, codeVerifier: authorization.codeVerifier, memberId: authorizationRequest.deviceId };
  const exchanged = await exchangeForTokens(services, app, exchange);
  if ('failed' in exchanged) {
    logStep(exchanged.step);
    if (exchanged.held !== null) await revokeTokens(services, authorizationRequest, exchanged.held);
    return fail(authorizationRequest, exchanged.failed === 'incomplete' ? 'nothing_shared' : 'provider_error');
  }
  const { tokens } = exchanged;
  const issued = { ...exchanged, tokens: { ...tokens, scopes: tokens.scopes ?? redirectScopes } };
  const refuse = async (step: string, reason: ConnectFailure, held: IssuedTokens): Promise<Ending> => {
    logStep(step);
    await revokeTokens(services, authorizationRequest, held);
    return fail(authorizationRequest, reason);
  };
  if (!sharesData(app.provider, issued.tokens)) return refuse('no scope with data', 'nothing_shared', issued);
  const deviceId = await storeTokens(services, authorizationRequest, app, issued);
  if (deviceId !== null) return { status: 'active', deviceId };
  return refuse('user or device deleted, or device limit reached', 'provider_error', issued);
}
