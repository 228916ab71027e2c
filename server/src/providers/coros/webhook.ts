// New workouts, sent to the URL that COROS enters for the application. The headers repeat the credentials of the client, so the
// body is only a hint: workouts are fetched.

import type { EpochMs } from '../../domain/records/records.ts';
import { isSameSecret } from '../../platform/crypto/is-same-secret.ts';
import type { WebhookItem, WebhookRule } from '../contract.ts';
import { parseJsonBytes } from '../parse-json.ts';
import { asObject, type JsonObject, readId, readList, required } from '../read-json.ts';

/** COROS stops sending if it receives anything else. */
const RECEIVED = { message: 'ok', result: '0000' };

export const corosWebhook: WebhookRule = {
  trust: 'token',
  /** The health check of the same URL. */
  answerChallenge: ({ method }) => (method === 'GET' ? { status: 200, body: JSON.stringify(RECEIVED) } : null),
  /** A replay cannot be detected; the workouts are fetched again and are the same. */
  verify({ headers }, { clientId, clientSecret }) {
    const isClient = isSameSecret(headers.client ?? '', clientId);
    const isSecret = isSameSecret(headers.secret ?? '', clientSecret);
    return isClient && isSecret ? 'genuine' : 'forged';
  },
  readWebhookItems: (body) =>
    readList(asObject(parseJsonBytes(body)), 'sportDataList')
      .filter(({ openId }) => openId !== undefined && openId !== null) // of nobody; the others are read
      .map(toWebhookItem),
  acknowledgement: { json: RECEIVED },
  subscriptions: null,
};

function toWebhookItem(item: JsonObject): WebhookItem {
  // Only hints: without them the last days are fetched, and the webhook is not lost.
  const [from, to] = ['startTime', 'endTime'].map((name) => {
    const seconds = item[name];
    return typeof seconds === 'number' && Number.isFinite(seconds) ? ((seconds * 1_000) as EpochMs) : null;
  });
  const interval = from && to ? { from, to } : { from: null, to: null };
  return {
    kind: 'changed',
    providerUserId: required(readId(item, 'openId'), 'openId'),
    resource: 'sport',
    id: null,
    ...interval,
  };
}
