// GET /connect/callback/{provider}: the person comes back. Only the browser that went may bring the answer, and only once.
import { hashToken } from '../../../platform/crypto/opaque-token.ts';
import type { RawReply, RawRequest } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import { openAppOf, type ProviderApp } from '../provider-apps/index.ts';
import { type Attempt, type Errand, placeOfErrand, stageOf } from './attempt.ts';
import { isSameBrowser } from './browser-cookie.ts';
import { goneLinkPage, otherBrowserPage, strangeAnswerPage } from './connection-pages.ts';
import { returnGrant } from './deauthorize.ts';
import { failConnection } from './fail-connection.ts';
import { keepGrant } from './keep-grant.ts';
import { type Ending, land } from './landing.ts';
import { obtainGrant } from './obtain-grant.ts';
import { readCallback } from './read-callback.ts';
import { finishAttempt, readAttemptByState } from './store.ts';

export async function receiveCallback(services: Services, request: RawRequest): Promise<RawReply> {
  const [state, ...others] = request.query.getAll('state');
  if (!state || others.length > 0) return strangeAnswerPage();
  const attempt = await readAttemptByState(services.db, hashToken(state));
  if (attempt === null) return { ...strangeAnswerPage(), isWrongGuess: true };
  if (attempt.finishedAt !== null) return goneLinkPage('used'); // also for who loads the last page again, whose cookie is gone
  if (!isSameBrowser(attempt, request)) return otherBrowserPage(); // whoever it is, the attempt is not theirs to end
  const now = services.clock.now();
  const stage = stageOf(attempt, now);
  if (stage === 'expired') return land(services, attempt, { status: 'failed', reason: 'expired' });
  if (stage !== 'allowed' || !(await finishAttempt(services.db, attempt, now))) return goneLinkPage('used');
  const ending = await useAnswer(services, attempt, request);
  if (ending.status === 'failed') await failConnection(services, attempt);
  return land(services, attempt, ending);
}

async function useAnswer(services: Services, attempt: Attempt, request: RawRequest): Promise<Ending> {
  const log = services.log.child({ provider: attempt.provider, device_id: attempt.deviceId });
  try {
    const ending = await connect(services, attempt, request, (step) => log.info({ step }, 'a connection failed'));
    return ending;
  } catch (error) {
    log.error({ err: error }, 'a connection failed by a fault of ours');
    return { status: 'failed', reason: 'unavailable' };
  }
}

async function connect(
  services: Services,
  attempt: Attempt,
  { params, query }: RawRequest,
  tell: (step: string) => void,
): Promise<Ending> {
  const app = await openAppOf(services, attempt);
  if (app === null || attempt.sealedErrand === null) return { status: 'failed', reason: 'unavailable' };
  const errand = JSON.parse(services.secrets.open(attempt.sealedErrand, placeOfErrand(attempt))) as Errand;
  // An answer at the address of another provider may have been led there (mix-up): its code goes to nobody.
  const reading =
    params.provider === attempt.provider
      ? await readCallback(app.provider.oauth, app.client.clientId, query, errand.state)
      : ({ failed: 'unsound' } as const);
  if ('code' in reading) return useCode(services, { attempt, app, errand, code: reading.code }, tell);
  tell(`callback ${reading.failed}`);
  return { status: 'failed', reason: reading.failed };
}

async function useCode(
  services: Services,
  { attempt, app, errand, code }: { attempt: Attempt; app: ProviderApp; errand: Errand; code: string },
  tell: (step: string) => void,
): Promise<Ending> {
  const exchange = { code, codeVerifier: errand.codeVerifier, memberId: attempt.deviceId };
  const grant = await obtainGrant(services, app, exchange);
  if ('failed' in grant) {
    tell(grant.step);
    if (grant.held !== null) await returnGrant(services, attempt, grant.held);
    return { status: 'failed', reason: grant.failed };
  }
  const deviceId = await keepGrant(services, attempt, app, grant);
  if (deviceId !== null) return { status: 'active', deviceId };
  tell('nobody to keep it for');
  await returnGrant(services, attempt, grant);
  return { status: 'failed', reason: 'unavailable' };
}
