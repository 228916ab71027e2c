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
import { crossOriginFormPage, goneLinkPage, unclearDecisionPage } from './connection-pages.ts';
import { failConnection } from './fail-connection.ts';
import { findAuthorization } from './find-authorization.ts';
import { redirectBack, redirectUser } from './redirect-back.ts';
import { allowAuthorization, denyAuthorization, readAuthorizationBySecret } from './store.ts';

export async function decide(
  services: ProviderAppServices & Pick<Services, 'clock' | 'userMutex'>,
  request: RawRequest,
): Promise<RawReply> {
  const found = await findAuthorization(services, request.params.secret ?? '');
  if ('page' in found) return found.page;
  const { authorizationRequest } = found;
  if (!isSameOriginForm(services, request, readBrowserKey(authorizationRequest, request) !== null))
    return crossOriginFormPage();
  const decisions = new URLSearchParams(request.body.toString('utf8')).getAll('decision');
  const [decision] = decisions;
  if (decisions.length !== 1 || (decision !== 'allow' && decision !== 'deny')) return unclearDecisionPage();
  const stage = stageOf(authorizationRequest, services.clock.now());
  if (stage === 'allowed' && decision === 'allow') return redirectAgain(services, authorizationRequest, request);
  if (stage !== 'open') return goneLinkPage(stage === 'expired' ? 'expired' : 'used');
  return decision === 'allow' ? allow(services, authorizationRequest, request) : deny(services, authorizationRequest);
}

/**
 * Whether the form was sent from our own page: users of other sites have not seen what is shared, so their forms are ignored.
 * Browsers send `Sec-Fetch-Site` or at least `Origin`, which our pages hide (`null`) together with the referrer; then the cookie
 * of the page decides, which no other site can send. Clients without either header are not browsers, so no page can misuse them.
 */
function isSameOriginForm(
  { settings }: Pick<Services, 'settings'>,
  { headers }: Pick<RawRequest, 'headers'>,
  hasPageCookie: boolean,
): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  if (origin === undefined || origin === new URL(settings.publicUrl()).origin) return true;
  return origin === 'null' && hasPageCookie;
}

async function allow(
  services: ProviderAppServices & Pick<Services, 'clock' | 'userMutex'>,
  authorizationRequest: AuthorizationRequest,
  request: RawRequest,
): Promise<RawReply> {
  const app = await openAppOf(services, authorizationRequest);
  if (app === null) return failUnavailable(services, authorizationRequest);
  const authorization = await makeState(app);
  const browserKey = readBrowserKey(authorizationRequest, request) ?? mintBrowserKey();
  const allowed = {
    stateHash: hashToken(authorization.state),
    browserHash: hashToken(browserKey),
    sealedState: services.secrets.seal(JSON.stringify(authorization), contextOfState(authorizationRequest)),
  };
  if (await allowAuthorization(services.db, authorizationRequest, allowed, services.clock.now()))
    return redirectToProvider(services, { authorizationRequest, app, authorization, browserKey });
  const decided = await readAuthorizationBySecret(services.db, authorizationRequest.secretHash);
  return decided === null ? goneLinkPage('used') : redirectAgain(services, decided, request);
}

/** Browsers follow the response to the last click, so a second click gets the same redirect. */
async function redirectAgain(
  services: ProviderAppServices,
  authorizationRequest: AuthorizationRequest,
  request: RawRequest,
): Promise<RawReply> {
  const browserKey = readBrowserKey(authorizationRequest, request);
  const app = await openAppOf(services, authorizationRequest);
  if (
    browserKey === null ||
    !isSameBrowser(authorizationRequest, request) ||
    authorizationRequest.sealedState === null ||
    app === null
  )
    return goneLinkPage('used');
  const authorization = JSON.parse(
    services.secrets.open(authorizationRequest.sealedState, contextOfState(authorizationRequest)),
  ) as AuthorizationState;
  return redirectToProvider(services, { authorizationRequest, app, authorization, browserKey });
}

async function redirectToProvider(
  services: Pick<Services, 'settings'>,
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
  const location = await authorizeUrlOf(app, redirectUriOf(services, app.provider), authorization);
  return redirectUser(location, { 'set-cookie': writeBrowserKey(services, authorizationRequest, browserKey) });
}

async function deny(
  services: Pick<Services, 'clock' | 'db' | 'settings' | 'userMutex'>,
  authorizationRequest: AuthorizationRequest,
): Promise<RawReply> {
  const isFirst = await services.db.transaction((tx) =>
    denyAuthorization(tx, authorizationRequest, services.clock.now()),
  );
  if (!isFirst) return goneLinkPage('used');
  await failConnection(services, authorizationRequest);
  return redirectBack(services, authorizationRequest, { status: 'failed', reason: 'denied' });
}

/** The provider application was removed in the meantime. */
async function failUnavailable(
  services: Pick<Services, 'clock' | 'db' | 'settings' | 'userMutex'>,
  authorizationRequest: AuthorizationRequest,
): Promise<RawReply> {
  await services.db.transaction((tx) => denyAuthorization(tx, authorizationRequest, services.clock.now()));
  await failConnection(services, authorizationRequest);
  return redirectBack(services, authorizationRequest, { status: 'failed', reason: 'unavailable' });
}
