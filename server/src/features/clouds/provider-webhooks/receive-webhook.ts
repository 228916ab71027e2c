// A notice of a provider: is it genuine, then store it and acknowledge. All work is done later.
import type { RawReply, RawRequest } from '../../../platform/http/raw-route.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import type { WebhookRequest, WebhookRule, WebhookSecrets, WebhookVerdict } from '../../../providers/contract.ts';
import { findProvider } from '../../../providers/registry.ts';
import { isWebhookSecret } from '../provider-apps/index.ts';
import { refreshKeys } from '../subscriptions/index.ts';
import { forgetApp, type KnownApp, knowApp } from './known-apps.ts';
import { storeWebhook } from './webhook-writer.ts';

const NOT_FOUND: RawReply = { status: 404 };
const FORGED: RawReply = { status: 401 };
/** Nobody has proved anything yet, so little is parsed. Challenges have a hundred bytes or two. */
const MAX_CHALLENGE_BYTES = 4_096;

/**
 * Whoever does not know the address has sent us a body for nothing. The secret is derived from the rest of the path: one that
 * is not ours is refused without a query, whether there is such an application or not.
 */
export async function authorizeWebhook(services: Services, params: RawRequest['params']): Promise<RawReply | null> {
  const { provider = '', app: appId = '', secret = '' } = params;
  if (findProvider(provider) === null) return NOT_FOUND;
  if (!isWebhookSecret(services, { provider, appId }, secret)) {
    services.metrics.countWebhooks(provider, 'forged');
    return NOT_FOUND;
  }
  const known = await knowApp(services, provider, appId);
  if (known === null || known.app.provider.webhook === null) return NOT_FOUND;
  return findSecrets(known, secret).length > 0 ? null : NOT_FOUND; // rotated since
}

/** To an address that was found good. */
export async function receiveWebhook(services: Services, request: RawRequest): Promise<RawReply> {
  const { provider = '', app: appId = '', secret = '' } = request.params;
  const known = await knowApp(services, provider, appId);
  const rule = known?.app.provider.webhook ?? null;
  if (known === null || rule === null) return NOT_FOUND;
  const webhook: WebhookRequest = {
    method: request.method,
    path: request.path,
    query: Object.fromEntries(request.query),
    headers: request.headers,
    body: request.body,
  };
  const [named] = findSecrets(known, secret);
  if (named === undefined) return rejectForged(services, provider); // ended since it was admitted
  const challenge = request.body.length > MAX_CHALLENGE_BYTES ? null : rule.answerChallenge(webhook, named);
  if (challenge !== null) return { ...challenge, headers: { 'content-type': 'application/json' } };
  const verdict = await verify(services, known, rule, webhook);
  if (verdict === 'forged') return rejectForged(services, provider);
  if (verdict === 'stale') {
    // Sent again by whom nobody knows. If it was the provider after all, the next poll brings what it was about.
    services.metrics.countWebhooks(provider, 'stale');
    return FORGED;
  }
  const receivedAt = services.clock.now();
  await storeWebhook(services.db, { id: newId(), provider, appId, body: request.body, receivedAt });
  services.metrics.countWebhooks(provider, 'taken');
  return { status: rule.acknowledgement.status };
}

/** One that does not hold may be signed by a key, or with a secret, that is newer than what is remembered here. */
async function verify(
  services: Services,
  known: KnownApp,
  rule: WebhookRule,
  webhook: WebhookRequest,
): Promise<WebhookVerdict> {
  const { app } = known;
  const verdict = judge(known, rule, webhook, services.clock.now());
  if (verdict !== 'forged' || rule.publicKeys === undefined) return verdict;
  if (!(await refreshKeys(services, app))) return verdict;
  forgetApp(services, app.provider.id, app.id);
  const again = await knowApp(services, app.provider.id, app.id);
  return again === null ? verdict : judge(again, rule, webhook, services.clock.now());
}

/** Genuine by any of its secrets: whoever registered it, it is one application, and the provider signs with one of them. */
function judge({ verifiers }: KnownApp, rule: WebhookRule, webhook: WebhookRequest, now: Date): WebhookVerdict {
  const verdicts = verifiers.map((known) => rule.verify(webhook, known, now));
  const [best = 'forged'] = (['genuine', 'stale'] as const).filter((verdict) => verdicts.includes(verdict));
  return best;
}

function rejectForged({ metrics }: Services, provider: string): RawReply {
  metrics.countWebhooks(provider, 'forged');
  return FORGED;
}

/** Those of the address it came to, if that was not ended. The address itself was verified when the request was admitted. */
function findSecrets({ secrets }: KnownApp, token: string): WebhookSecrets[] {
  return secrets.filter(({ verificationToken }) => verificationToken === token);
}
