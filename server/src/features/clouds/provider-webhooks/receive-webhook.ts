// Verifies a provider webhook, stores it and acknowledges it. The webhook reader processes it later.

import { BatchQueue } from '../../../platform/batch-queue.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { RawReply, RawRequest } from '../../../platform/http/raw-route.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import type { WebhookRequest, WebhookRule, WebhookSecrets, WebhookVerdict } from '../../../providers/contract.ts';
import { findProvider } from '../../../providers/registry.ts';
import type { ProviderCallServices } from '../provider-accounts/index.ts';
import { isWebhookSecret, type ProviderAppServices } from '../provider-apps/index.ts';
import { refreshKeys } from '../subscriptions/index.ts';
import { findKnownApp, forgetApp, type KnownApp } from './known-apps.ts';
import { insertWebhooks, type StoredWebhook } from './store.ts';

const NOT_FOUND: RawReply = { status: 404 };
const FORGED: RawReply = { status: 401 };
/** The sender is not verified yet, so only small bodies are parsed. Challenges have one or two hundred bytes. */
const MAX_CHALLENGE_BYTES = 4_096;

/**
 * Rejects an unknown URL before its body is read. The secret is derived from the rest of the path, so a wrong one is rejected
 * without a query, whether the application exists or not.
 */
export async function authorizeWebhook(
  services: ProviderAppServices & Pick<Services, 'clock' | 'derivedSecrets' | 'metrics'>,
  params: RawRequest['params'],
): Promise<RawReply | null> {
  const { provider = '', app: appId = '', secret = '' } = params;
  if (findProvider(provider) === null) return NOT_FOUND;
  if (!isWebhookSecret(services, { provider, appId }, secret)) {
    services.metrics.countWebhooks(provider, 'forged');
    return NOT_FOUND;
  }
  const known = await findKnownApp(services, provider, appId);
  if (known === null || known.app.provider.webhook === null) return NOT_FOUND;
  return findSecrets(known, secret).length > 0 ? null : NOT_FOUND; // rotated in the meantime
}

/** Runs only for an authorized URL. */
export async function receiveWebhook(
  services: ProviderCallServices & ProviderAppServices & Pick<Services, 'log'>,
  request: RawRequest,
): Promise<RawReply> {
  const { provider = '', app: appId = '', secret = '' } = request.params;
  const known = await findKnownApp(services, provider, appId);
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
  if (named === undefined) return rejectForged(services, provider); // rotated since the request was authorized
  const challenge = request.body.length > MAX_CHALLENGE_BYTES ? null : rule.answerChallenge(webhook, named);
  if (challenge !== null) return { ...challenge, headers: { 'content-type': 'application/json' } };
  const verdict = await verify(services, known, rule, webhook);
  if (verdict === 'forged') return rejectForged(services, provider);
  if (verdict === 'stale') {
    // May be a replay. If the provider did send it, the next poll fetches the data.
    services.metrics.countWebhooks(provider, 'stale');
    return FORGED;
  }
  const receivedAt = services.clock.now();
  await storeWebhook(services.db, { id: newId(), provider, appId, body: request.body, receivedAt });
  services.metrics.countWebhooks(provider, 'stored');
  const { status = 200, json } = rule.acknowledgement ?? {};
  return json === undefined
    ? { status }
    : { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) };
}

/** On a mismatch the keys are read again, because the provider may have signed with a newer one. */
async function verify(
  services: ProviderCallServices & ProviderAppServices & Pick<Services, 'log'>,
  known: KnownApp,
  rule: WebhookRule,
  webhook: WebhookRequest,
): Promise<WebhookVerdict> {
  const { app } = known;
  const verdict = judge(known, rule, webhook, services.clock.now());
  if (verdict !== 'forged' || rule.publicKeys === undefined) return verdict;
  if (!(await refreshKeys(services, app))) return verdict;
  forgetApp(services, app.provider.id, app.id);
  const again = await findKnownApp(services, app.provider.id, app.id);
  return again === null ? verdict : judge(again, rule, webhook, services.clock.now());
}

/** Genuine if any secret matches: customers who registered the same application may know different secrets of it. */
function judge({ verifiers }: KnownApp, rule: WebhookRule, webhook: WebhookRequest, now: Date): WebhookVerdict {
  const verdicts = verifiers.map((known) => rule.verify(webhook, known, now));
  const [best = 'forged'] = (['genuine', 'stale'] as const).filter((verdict) => verdicts.includes(verdict));
  return best;
}

function rejectForged({ metrics }: Pick<Services, 'metrics'>, provider: string): RawReply {
  metrics.countWebhooks(provider, 'forged');
  return FORGED;
}

/** The secrets of the URL, unless it was rotated. The URL itself was verified when the request was authorized. */
function findSecrets({ secrets }: KnownApp, token: string): WebhookSecrets[] {
  return secrets.filter(({ verificationToken }) => verificationToken === token);
}

const MAX_AT_ONCE = 200;
const queues = new WeakMap<Queryable, BatchQueue<StoredWebhook, void>>();

/** Resolves once the webhook is durable. Those that arrive during a statement share the next one, so a burst costs a few commits. */
function storeWebhook(db: Queryable, webhook: StoredWebhook): Promise<void> {
  return queues.getOrInsertComputed(db, createQueue).add(webhook);
}

function createQueue(db: Queryable): BatchQueue<StoredWebhook, void> {
  return new BatchQueue<StoredWebhook, void>({
    run: async (webhooks) => {
      await insertWebhooks(db, webhooks);
      return webhooks.map(() => undefined);
    },
    maxItems: MAX_AT_ONCE,
    maxInFlight: 1,
    gatherMs: 0,
  });
}
