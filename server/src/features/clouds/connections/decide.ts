// POST /connect/{secret}: the person's decision. It counts once; a second click leads to the same place.
import { hashToken } from '../../../platform/crypto/opaque-token.ts';
import type { RawReply, RawRequest } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import { openAppOf, type ProviderApp, redirectUriOf } from '../provider-apps/index.ts';
import { type Attempt, type Errand, placeOfErrand, stageOf } from './attempt.ts';
import { authorizeUrlOf, makeErrand } from './authorize-url.ts';
import { isSameBrowser, mintBrowserKey, readBrowserKey, writeBrowserKey } from './browser-cookie.ts';
import { foreignFormPage, goneLinkPage, unclearDecisionPage } from './connection-pages.ts';
import { failConnection } from './fail-connection.ts';
import { findAttempt } from './find-attempt.ts';
import { land } from './landing.ts';
import { isOwnForm } from './own-form.ts';
import { redirectPerson } from './redirect-person.ts';
import { allowAttempt, denyAttempt, readAttemptBySecret } from './store.ts';

export async function decide(services: Services, request: RawRequest): Promise<RawReply> {
  const found = await findAttempt(services, request.params.secret ?? '');
  if ('page' in found) return found.page;
  const { attempt } = found;
  if (!isOwnForm(services, request, readBrowserKey(attempt, request) !== null)) return foreignFormPage();
  const decisions = new URLSearchParams(request.body.toString('utf8')).getAll('decision');
  const [decision] = decisions;
  if (decisions.length !== 1 || (decision !== 'allow' && decision !== 'deny')) return unclearDecisionPage();
  const stage = stageOf(attempt, services.clock.now());
  if (stage === 'allowed' && decision === 'allow') return goOnAgain(services, attempt, request);
  if (stage !== 'open') return goneLinkPage(stage === 'expired' ? 'expired' : 'used');
  return decision === 'allow' ? allow(services, attempt, request) : deny(services, attempt);
}

async function allow(services: Services, attempt: Attempt, request: RawRequest): Promise<RawReply> {
  const app = await openAppOf(services, attempt);
  if (app === null) return giveUp(services, attempt);
  const errand = await makeErrand(app);
  const browserKey = readBrowserKey(attempt, request) ?? mintBrowserKey();
  const allowed = {
    stateHash: hashToken(errand.state),
    browserHash: hashToken(browserKey),
    sealedErrand: services.secrets.seal(JSON.stringify(errand), placeOfErrand(attempt)),
  };
  if (await allowAttempt(services.db, attempt, allowed, services.clock.now()))
    return goOn(services, { attempt, app, errand, browserKey });
  const decided = await readAttemptBySecret(services.db, attempt.secretHash);
  return decided === null ? goneLinkPage('used') : goOnAgain(services, decided, request);
}

/** Browsers drop the answer to a first click for that to the second: it has to be the same. */
async function goOnAgain(services: Services, attempt: Attempt, request: RawRequest): Promise<RawReply> {
  const browserKey = readBrowserKey(attempt, request);
  const app = await openAppOf(services, attempt);
  if (browserKey === null || !isSameBrowser(attempt, request) || attempt.sealedErrand === null || app === null)
    return goneLinkPage('used');
  const errand = JSON.parse(services.secrets.open(attempt.sealedErrand, placeOfErrand(attempt))) as Errand;
  return goOn(services, { attempt, app, errand, browserKey });
}

async function goOn(
  services: Services,
  { attempt, app, errand, browserKey }: { attempt: Attempt; app: ProviderApp; errand: Errand; browserKey: string },
): Promise<RawReply> {
  const location = await authorizeUrlOf(app, redirectUriOf(services, app.provider), errand);
  return redirectPerson(location, { 'set-cookie': writeBrowserKey(services, attempt, browserKey) });
}

async function deny(services: Services, attempt: Attempt): Promise<RawReply> {
  const isFirst = await services.db.transaction((tx) => denyAttempt(tx, attempt, services.clock.now()));
  if (!isFirst) return goneLinkPage('used');
  await failConnection(services, attempt);
  return land(services, attempt, { status: 'failed', reason: 'denied' });
}

/** Its application was taken away meanwhile. */
async function giveUp(services: Services, attempt: Attempt): Promise<RawReply> {
  await services.db.transaction((tx) => denyAttempt(tx, attempt, services.clock.now()));
  await failConnection(services, attempt);
  return land(services, attempt, { status: 'failed', reason: 'unavailable' });
}
