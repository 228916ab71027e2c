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
  contextOfState,
  stageOf,
} from './authorization-request.ts';
import { isSameBrowser } from './browser-cookie.ts';
import { goneLinkPage, invalidCallbackPage, otherBrowserPage } from './connection-pages.ts';
import { revokeTokens } from './deauthorize.ts';
import { exchangeForTokens } from './exchange-code.ts';
import { failConnection } from './fail-connection.ts';
import { readCallback } from './read-callback.ts';
import { type Ending, redirectBack } from './redirect-back.ts';
import { finishAuthorization, readAuthorizationByState } from './store.ts';
import { storeTokens } from './store-tokens.ts';

export async function receiveCallback(
  services: ProviderAppServices & Pick<Services, 'clock' | 'jobs' | 'log' | 'outbound' | 'ownOutbound' | 'userMutex'>,
  request: RawRequest,
): Promise<RawReply> {
  const [state, ...others] = request.query.getAll('state');
  if (!state || others.length > 0) return invalidCallbackPage();
  const authorizationRequest = await readAuthorizationByState(services.db, hashToken(state));
  if (authorizationRequest === null) return { ...invalidCallbackPage(), isWrongGuess: true };
  if (authorizationRequest.finishedAt !== null) return goneLinkPage('used'); // a reload of the last page comes without the cookie
  if (!isSameBrowser(authorizationRequest, request)) return otherBrowserPage(); // another browser must not end the request
  const now = services.clock.now();
  const stage = stageOf(authorizationRequest, now);
  if (stage === 'expired') return redirectBack(services, authorizationRequest, { status: 'failed', reason: 'expired' });
  if (stage !== 'allowed' || !(await finishAuthorization(services.db, authorizationRequest, now)))
    return goneLinkPage('used');
  const ending = await useAnswer(services, authorizationRequest, request);
  if (ending.status === 'failed') await failConnection(services, authorizationRequest);
  return redirectBack(services, authorizationRequest, ending);
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
    return { status: 'failed', reason: 'unavailable' };
  }
}

async function connect(
  services: ProviderAppServices & Pick<Services, 'clock' | 'jobs' | 'outbound' | 'ownOutbound' | 'userMutex'>,
  authorizationRequest: AuthorizationRequest,
  { params, query }: RawRequest,
  logStep: (step: string) => void,
): Promise<Ending> {
  const app = await openAppOf(services, authorizationRequest);
  if (app === null || authorizationRequest.sealedState === null) return { status: 'failed', reason: 'unavailable' };
  const authorization = JSON.parse(
    services.secrets.open(authorizationRequest.sealedState, contextOfState(authorizationRequest)),
  ) as AuthorizationState;
  // A code at another provider's callback may come from a mix-up attack, so it is not exchanged.
  const parsed =
    params.provider === authorizationRequest.provider
      ? await readCallback(app.provider.oauth, app.client.clientId, query, authorization.state)
      : ({ failed: 'unsound' } as const);
  if ('code' in parsed)
    return useCode(services, { authorizationRequest, app, authorization, code: parsed.code }, logStep);
  logStep(`callback ${parsed.failed}`);
  return { status: 'failed', reason: parsed.failed };
}

async function useCode(
  services: ProviderAppServices & Pick<Services, 'clock' | 'jobs' | 'outbound' | 'ownOutbound' | 'userMutex'>,
  {
    authorizationRequest,
    app,
    authorization,
    code,
  }: { authorizationRequest: AuthorizationRequest; app: ProviderApp; authorization: AuthorizationState; code: string },
  logStep: (step: string) => void,
): Promise<Ending> {
  const exchange = { code, codeVerifier: authorization.codeVerifier, memberId: authorizationRequest.deviceId };
  const issued = await exchangeForTokens(services, app, exchange);
  if ('failed' in issued) {
    logStep(issued.step);
    if (issued.held !== null) await revokeTokens(services, authorizationRequest, issued.held);
    return { status: 'failed', reason: issued.failed };
  }
  const deviceId = await storeTokens(services, authorizationRequest, app, issued);
  if (deviceId !== null) return { status: 'active', deviceId };
  logStep('user or device deleted, or device limit reached');
  await revokeTokens(services, authorizationRequest, issued);
  return { status: 'failed', reason: 'unavailable' };
}
