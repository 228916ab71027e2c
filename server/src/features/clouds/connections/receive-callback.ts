// GET /connect/callback/{provider}: the person comes back. Only the browser that went may bring the answer, and only once.
import { hashToken } from '../../../platform/crypto/opaque-token.ts';
import type { RawReply, RawRequest } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import { openAppOf, type ProviderApp } from '../provider-apps/index.ts';
import {
  type AuthorizationRequest,
  type AuthorizationState,
  contextOfState,
  stageOf,
} from './authorization-request.ts';
import { isSameBrowser } from './browser-cookie.ts';
import { goneLinkPage, otherBrowserPage, strangeAnswerPage } from './connection-pages.ts';
import { revokeTokens } from './deauthorize.ts';
import { exchangeForTokens } from './exchange-code.ts';
import { failConnection } from './fail-connection.ts';
import { readCallback } from './read-callback.ts';
import { type Ending, land } from './redirect-back.ts';
import { finishAuthorization, readAuthorizationByState } from './store.ts';
import { storeTokens } from './store-tokens.ts';

export async function receiveCallback(services: Services, request: RawRequest): Promise<RawReply> {
  const [state, ...others] = request.query.getAll('state');
  if (!state || others.length > 0) return strangeAnswerPage();
  const authorizationRequest = await readAuthorizationByState(services.db, hashToken(state));
  if (authorizationRequest === null) return { ...strangeAnswerPage(), isWrongGuess: true };
  if (authorizationRequest.finishedAt !== null) return goneLinkPage('used'); // also for who loads the last page again, whose cookie is gone
  if (!isSameBrowser(authorizationRequest, request)) return otherBrowserPage(); // whoever it is, the attempt is not theirs to end
  const now = services.clock.now();
  const stage = stageOf(authorizationRequest, now);
  if (stage === 'expired') return land(services, authorizationRequest, { status: 'failed', reason: 'expired' });
  if (stage !== 'allowed' || !(await finishAuthorization(services.db, authorizationRequest, now)))
    return goneLinkPage('used');
  const ending = await useAnswer(services, authorizationRequest, request);
  if (ending.status === 'failed') await failConnection(services, authorizationRequest);
  return land(services, authorizationRequest, ending);
}

async function useAnswer(
  services: Services,
  authorizationRequest: AuthorizationRequest,
  request: RawRequest,
): Promise<Ending> {
  const log = services.log.child({ provider: authorizationRequest.provider, device_id: authorizationRequest.deviceId });
  try {
    const ending = await connect(services, authorizationRequest, request, (step) =>
      log.info({ step }, 'a connection failed'),
    );
    return ending;
  } catch (error) {
    log.error({ err: error }, 'a connection failed by a fault of ours');
    return { status: 'failed', reason: 'unavailable' };
  }
}

async function connect(
  services: Services,
  authorizationRequest: AuthorizationRequest,
  { params, query }: RawRequest,
  tell: (step: string) => void,
): Promise<Ending> {
  const app = await openAppOf(services, authorizationRequest);
  if (app === null || authorizationRequest.sealedState === null) return { status: 'failed', reason: 'unavailable' };
  const authorization = JSON.parse(
    services.secrets.open(authorizationRequest.sealedState, contextOfState(authorizationRequest)),
  ) as AuthorizationState;
  // An answer at the address of another provider may have been led there (mix-up): its code goes to nobody.
  const parsed =
    params.provider === authorizationRequest.provider
      ? await readCallback(app.provider.oauth, app.client.clientId, query, authorization.state)
      : ({ failed: 'unsound' } as const);
  if ('code' in parsed) return useCode(services, { authorizationRequest, app, authorization, code: parsed.code }, tell);
  tell(`callback ${parsed.failed}`);
  return { status: 'failed', reason: parsed.failed };
}

async function useCode(
  services: Services,
  {
    authorizationRequest,
    app,
    authorization,
    code,
  }: { authorizationRequest: AuthorizationRequest; app: ProviderApp; authorization: AuthorizationState; code: string },
  tell: (step: string) => void,
): Promise<Ending> {
  const exchange = { code, codeVerifier: authorization.codeVerifier, memberId: authorizationRequest.deviceId };
  const issued = await exchangeForTokens(services, app, exchange);
  if ('failed' in issued) {
    tell(issued.step);
    if (issued.held !== null) await revokeTokens(services, authorizationRequest, issued.held);
    return { status: 'failed', reason: issued.failed };
  }
  const deviceId = await storeTokens(services, authorizationRequest, app, issued);
  if (deviceId !== null) return { status: 'active', deviceId };
  tell('nobody to keep it for');
  await revokeTokens(services, authorizationRequest, issued);
  return { status: 'failed', reason: 'unavailable' };
}
