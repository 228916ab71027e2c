// One webhook for the application, signed with a secret that Polar sends once, when the webhook is created.
// https://www.polar.com/accesslink-api/#webhooks

import type { EpochMs } from '../../domain/records/records.ts';
import { DAY_MS } from '../../domain/time/durations.ts';
import { isSameSecret } from '../../platform/crypto/is-same-secret.ts';
import type { SubscriptionRule, WebhookItem, WebhookRule } from '../contract.ts';
import { parseJsonBytes } from '../parse-json.ts';
import { asObject, type JsonObject, readFlag, readId, readPart, readText, readValues, required } from '../read-json.ts';
import { readDate } from '../read-time.ts';
import { signSha256 } from '../webhook-signatures.ts';
import { POLAR_RESOURCES } from './resources.ts';

/** The resources to fetch for an event: the one that it names by id or date, and those without an event of their own. */
const EVENTS: Readonly<Record<string, readonly string[]>> = {
  EXERCISE: ['exercises'],
  SLEEP: ['sleep', 'nightly-recharge', 'skin-temperature'],
  CONTINUOUS_HEART_RATE: ['continuous-heart-rate'],
  ACTIVITY_SUMMARY: ['activities'],
};
const WANTED = Object.keys(EVENTS).toSorted().join();

export const POLAR_WEBHOOK: WebhookRule = {
  trust: 'hmac',
  /** Sent while the webhook is created, before there is a secret to sign it with: it only checks the URL. */
  answerChallenge: ({ body }) => (isPing(body) ? { status: 200, body: '' } : null),
  /** A replay cannot be detected; the data is fetched again and is the same. */
  verify({ headers, body }, { signingSecret }) {
    const sent = headers['polar-webhook-signature'] ?? '';
    if (signingSecret === undefined || !/^[0-9a-f]{64}$/.test(sent)) return 'forged';
    return isSameSecret(signSha256(signingSecret, body), Buffer.from(sent, 'hex')) ? 'genuine' : 'forged';
  },
  readWebhookItems(body) {
    const event = asObject(parseJsonBytes(body));
    return (EVENTS[readText(event, 'event') ?? ''] ?? []).map((resource) => toWebhookItem(resource, event));
  },
  subscriptions: subscriptions(),
};

/** We do not follow its `url`: id and date say what to fetch. */
function toWebhookItem(resource: string, event: JsonObject): WebhookItem {
  const providerUserId = required(readId(event, 'user_id'), 'user_id');
  const date = readDate(event, 'date');
  const from = date === null ? null : (Date.parse(date) as EpochMs);
  const to = from === null ? null : ((from + DAY_MS) as EpochMs);
  const hasOne = POLAR_RESOURCES.some(({ name, requestOne }) => name === resource && requestOne !== undefined);
  const id = hasOne ? (readId(event, 'entity_id') ?? date) : null;
  return { kind: 'changed', providerUserId, resource, id, from, to };
}

function isPing(body: Uint8Array): boolean {
  try {
    return readText(asObject(parseJsonBytes(body)), 'event') === 'PING';
  } catch {
    return false;
  }
}

function subscriptions(): SubscriptionRule {
  const path = '/v3/webhooks';
  const headers = { accept: 'application/json' };
  return {
    per: 'application',
    wanted: [WANTED], // there is one webhook for all events
    listRequest: () => ({ origin: 'api', method: 'GET', path, headers, as: 'application' }),
    readList: ({ body }) => listWebhooks(body).map(readWebhook),
    createRequest: (topic, url) => ({
      origin: 'api',
      method: 'POST',
      path,
      json: { events: topic.split(','), url },
      headers,
      as: 'application',
    }),
    readSecret: ({ body }) => readText(readPart(asObject(body), 'data') ?? {}, 'signature_secret_key'),
    /** Reactivates a webhook that Polar disabled after failures. */
    renewRequest: () => ({ origin: 'api', method: 'POST', path: `${path}/activate`, headers, as: 'application' }),
    deleteRequest: (id) => ({
      origin: 'api',
      method: 'DELETE',
      path: `${path}/${encodeURIComponent(id)}`,
      as: 'application',
    }),
  };
}

/** `data`: a list, or the single webhook. */
function listWebhooks(body: unknown): readonly JsonObject[] {
  const data = asObject(body).data ?? [];
  return (Array.isArray(data) ? data : [data]).map((item) => asObject(item, 'a webhook'));
}

/** After a week of failures Polar disables it: it counts as ended and is renewed. */
function readWebhook(item: JsonObject): ReturnType<SubscriptionRule['readList']>[number] {
  const url = readText(item, 'url');
  return {
    id: required(readId(item, 'id'), 'id'),
    topic: readValues(item, 'events').map(String).toSorted().join(),
    endsAt: readFlag(item, 'active') === false ? new Date(0) : null,
    ...(url === null ? {} : { callbackUrl: url }),
  };
}
