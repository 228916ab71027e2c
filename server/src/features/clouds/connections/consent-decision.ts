// POST /connect/{secret}: stores the user's decision. It counts once; a second click leads to the same page.

import { hashToken } from '../../../platform/crypto/opaque-token.ts';
import type { RawReply, RawRequest } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import type { ProviderAppServices } from '../provider-apps/index.ts';
import { openAppOf, type ProviderApp, redirectUriOf } from '../provider-apps/index.ts';
import {
  type AuthorizationRequest,
  type AuthorizationState,
  contextOfState,
  stageOf,
} from './authorization-request.ts';
import { authorizeUrlOf, makeState } from './authorize-url.ts';
import { isSameBrowser, mintBrowserKey, readBrowserKey, writeBrowserKey } from './browser-cookie.ts';
import { type ConsentRequest, crossOriginFormPage, goneLinkPage, unclearDecisionPage } from './connection-pages.ts';
import { endConnection, redirectUser } from './end-connection.ts';
import { type FoundAuthorization, findAuthorization } from './find-authorization.ts';
import { isSameOriginForm } from './same-origin-form.ts';
import { endedLinkPage } from './show-consent-page.ts';
import { allowAuthorization, denyAuthorization, readAuthorizationBySecret } from './store.ts';
import { readVisit } from './visit.ts';
import { writeLoginHint } from './write-login-hint.ts';

export async function decide(
  services: ProviderAppServices & Pick<Services, 'clock' | 'userMutex'>,
  request: RawRequest,
): Promise<RawReply> {
  const found = await findAuthorization(services, request);
  if ('page' in found) return found.page;
  const { authorizationRequest, consentRequest } = found;
  const { context } = consentRequest;
  if (!isSameOriginForm(services, request, readBrowserKey(authorizationRequest, request) !== null))
    return crossOriginFormPage(context);
  const decisions = new URLSearchParams(request.body.toString('utf8')).getAll('decision');
  const [decision] = decisions;
  if (decisions.length !== 1 || (decision !== 'allow' && decision !== 'deny')) return unclearDecisionPage(context);
  const stage = stageOf(authorizationRequest, services.clock.now());
  if (stage === 'allowed' && decision === 'allow')
    return redirectAgain(services, authorizationRequest, request, consentRequest);
  if (stage !== 'open') return endedLinkPage(consentRequest, authorizationRequest, stage);
  return decision === 'allow' ? allow(services, found, request) : deny(services, found, request);
}

async function allow(
  services: ProviderAppServices & Pick<Services, 'clock' | 'userMutex'>,
  { authorizationRequest, consentRequest }: FoundAuthorization,
  request: RawRequest,
): Promise<RawReply> {
  const app = await openAppOf(services, authorizationRequest);
  if (app === null) return failUnavailable(services, authorizationRequest, request);
  const authorization = await makeState(app);
  const browserKey = readBrowserKey(authorizationRequest, request) ?? mintBrowserKey();
  const allowed = {
    stateHash: hashToken(authorization.state),
    browserHash: hashToken(browserKey),
    sealedState: services.secrets.seal(JSON.stringify(authorization), contextOfState(authorizationRequest)),
    visit: readVisit(request),
  };
  if (await allowAuthorization(services.db, authorizationRequest, allowed, services.clock.now()))
    return redirectToProvider(services, { authorizationRequest, app, authorization, browserKey });
  const decided = await readAuthorizationBySecret(services.db, authorizationRequest.secretHash);
  return decided === null
    ? goneLinkPage(consentRequest.context, 'used')
    : redirectAgain(services, decided, request, consentRequest);
}

/** Browsers follow the response to the last click, so a second click gets the same redirect. */
async function redirectAgain(
  services: ProviderAppServices & Pick<Services, 'clock'>,
  authorizationRequest: AuthorizationRequest,
  request: RawRequest,
  { context }: ConsentRequest,
): Promise<RawReply> {
  const browserKey = readBrowserKey(authorizationRequest, request);
  const app = await openAppOf(services, authorizationRequest);
  if (
    browserKey === null ||
    !isSameBrowser(authorizationRequest, request) ||
    authorizationRequest.sealedState === null ||
    app === null
  )
    return goneLinkPage(context, 'used');
  const authorization = JSON.parse(
    services.secrets.open(authorizationRequest.sealedState, contextOfState(authorizationRequest)),
  ) as AuthorizationState;
  return redirectToProvider(services, { authorizationRequest, app, authorization, browserKey });
}

async function redirectToProvider(
  services: Pick<Services, 'clock' | 'db' | 'settings' | 'simulator'>,
  {
    authorizationRequest,
    app,
    authorization,
    browserKey,
  }: {
    authorizationRequest: AuthorizationRequest;
    app: ProviderApp;
    authorization: AuthorizationState;
    browserKey: string;
  },
): Promise<RawReply> {
  const hint = await writeLoginHint(services, authorizationRequest);
  const location = await authorizeUrlOf(app, redirectUriOf(services, app.provider), authorization, hint);
  return redirectUser(location, { 'set-cookie': writeBrowserKey(services, authorizationRequest, browserKey) });
}

async function deny(
  services: Pick<Services, 'clock' | 'db' | 'settings' | 'userMutex'>,
  { authorizationRequest, consentRequest }: FoundAuthorization,
  request: RawRequest,
): Promise<RawReply> {
  const visit = readVisit(request);
  const isFirst = await services.db.transaction((tx) =>
    denyAuthorization(tx, authorizationRequest, visit, services.clock.now()),
  );
  if (!isFirst) return goneLinkPage(consentRequest.context, 'used');
  const { deviceId } = authorizationRequest;
  const ending = { status: 'failed', deviceId, reason: 'declined' } as const;
  return endConnection(services, { ...authorizationRequest, visit }, ending);
}

/** The provider application was removed in the meantime. */
async function failUnavailable(
  services: Pick<Services, 'clock' | 'db' | 'settings' | 'userMutex'>,
  authorizationRequest: AuthorizationRequest,
  request: RawRequest,
): Promise<RawReply> {
  const visit = readVisit(request);
  await services.db.transaction((tx) => denyAuthorization(tx, authorizationRequest, visit, services.clock.now()));
  const { deviceId } = authorizationRequest;
  const ending = { status: 'failed', deviceId, reason: 'provider_error' } as const;
  return endConnection(services, { ...authorizationRequest, visit }, ending);
}
