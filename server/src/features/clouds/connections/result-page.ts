// /connect/result/{token}: how a connection ended. It can be reloaded; after a failure the user can try again.
import { hashToken, isWellFormedToken } from '../../../platform/crypto/opaque-token.ts';
import type { RawReply, RawRequest } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import { listDevices } from '../../store/devices/index.ts';
import { openUser } from '../../tenancy/user-core/index.ts';
import { openAppOf, type ProviderAppServices } from '../provider-apps/index.ts';
import type { AuthorizationRequest, Ending } from './authorization-request.ts';
import { openConnection } from './begin-connection.ts';
import {
  connectedPage,
  crossOriginFormPage,
  failedPage,
  goneLinkPage,
  unclearDecisionPage,
} from './connection-pages.ts';
import { visitorContext } from './consent-request.ts';
import { RESULT_PREFIX, redirectUser } from './end-connection.ts';
import { type FoundAuthorization, openAuthorization } from './find-authorization.ts';
import { addOutcome, originOf } from './redirect-url.ts';
import { writeReportScript } from './report-script.ts';
import { isSameOriginForm } from './same-origin-form.ts';
import { readAuthorizationByResult } from './store.ts';
import { popupHeaders, writeVisit } from './visit.ts';

type Ended = FoundAuthorization & { readonly ending: Ending };

export async function showResult(
  services: Pick<Services, 'clock' | 'db' | 'settings'>,
  request: RawRequest,
): Promise<RawReply> {
  const found = await findEnded(services, request);
  if ('page' in found) return found.page;
  const { authorizationRequest, consentRequest, ending } = found;
  const { redirectUrl, visit } = authorizationRequest;
  const back = redirectUrl === null ? null : addOutcome(redirectUrl, ending);
  const origin = visit.isPopup ? originOf(redirectUrl) : null;
  const options = {
    headers: popupHeaders(visit),
    ...(origin !== null && back !== null && { script: writeReportScript({ ending, origin, back }) }),
  };
  if (ending.status === 'active') {
    const isPartial = await isPartlyShared(services, authorizationRequest, ending);
    return connectedPage(consentRequest, { isPartial, back }, options);
  }
  const canRetry = authorizationRequest.expiresAt > services.clock.now();
  return failedPage(consentRequest, ending.reason, { canRetry, back }, options);
}

/** Starts again for the same device, within the time of the original link. */
export async function retryConnection(
  services: ProviderAppServices & Pick<Services, 'clock' | 'userMutex'>,
  request: RawRequest,
): Promise<RawReply> {
  const found = await findEnded(services, request);
  if ('page' in found) return found.page;
  const { authorizationRequest, consentRequest, ending } = found;
  const { context } = consentRequest;
  if (!isSameOriginForm(services, request, false)) return crossOriginFormPage(context);
  if (new URLSearchParams(request.body.toString('utf8')).get('decision') !== 'again')
    return unclearDecisionPage(context);
  const { expiresAt, redirectUrl, visit } = authorizationRequest;
  const app = await openAppOf(services, authorizationRequest);
  if (ending.status === 'active' || app === null || expiresAt <= services.clock.now())
    return goneLinkPage(context, 'expired');
  const begun = await openConnection(services, authorizationRequest, app, { redirectUrl, expiresAt });
  return begun === null ? goneLinkPage(context, 'unknown') : redirectUser(`${begun.path}${writeVisit(visit)}`, {});
}

async function findEnded(
  services: Pick<Services, 'db' | 'settings'>,
  request: RawRequest,
): Promise<Ended | { page: RawReply }> {
  const { token = '' } = request.params;
  const context = visitorContext(request);
  const authorizationRequest = isWellFormedToken(RESULT_PREFIX, token)
    ? await readAuthorizationByResult(services.db, hashToken(token))
    : null;
  if (authorizationRequest?.ending == null)
    return { page: { ...goneLinkPage(context, 'unknown'), isWrongGuess: true } };
  const { ending } = authorizationRequest;
  const found = await openAuthorization(services, authorizationRequest, request);
  return 'page' in found ? found : { ...found, ending };
}

async function isPartlyShared(
  { db, clock }: Pick<Services, 'clock' | 'db'>,
  { tenant, userId }: AuthorizationRequest,
  { deviceId }: Ending,
): Promise<boolean> {
  const user = await openUser(db, tenant, userId);
  const devices = user === null ? [] : await listDevices(db, user, clock.now());
  return devices.some(({ id, scopes }) => id === deviceId && scopes !== null && scopes.missing.length > 0);
}
