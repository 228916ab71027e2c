// Webhooks of WHOOP, which are configured on its dashboard. https://developer.whoop.com/docs/developing/webhooks

import { MINUTE_MS } from '../../domain/time/durations.ts';
import { isSameSecret } from '../../platform/crypto/is-same-secret.ts';
import type { WebhookItem, WebhookRequest, WebhookRule, WebhookSecrets, WebhookVerdict } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';
import { parseJsonBytes } from '../parse-json.ts';
import { asObject, type JsonObject, readId, readText, required } from '../read-json.ts';
import { isTimely, signSha256 } from '../webhook-signatures.ts';

const TOLERANCE_MS = 5 * MINUTE_MS;
/** Of the day on which the night ended, from its recovery and its cycle. */
const REPORTED_BY_NIGHTS =
  metricIds(`resting_heart_rate heart_rate_variability_rmssd blood_oxygen skin_temperature awakenings
  heart_rate heart_rate_max total_calories`);

export const whoopWebhook: WebhookRule = {
  trust: 'hmac',
  answerChallenge: () => null,
  verify,
  readWebhookItems: (body) => toWebhookItems(asObject(parseJsonBytes(body))),
  subscriptions: null,
};

/** Base64 of HMAC-SHA256 over the time in milliseconds and the body. */
function verify({ headers, body }: WebhookRequest, { clientSecret }: WebhookSecrets, now: Date): WebhookVerdict {
  const { 'x-whoop-signature': signature, 'x-whoop-signature-timestamp': time } = headers;
  if (signature === undefined || time === undefined) return 'forged';
  if (!isSameSecret(signSha256(clientSecret, time, body), Buffer.from(signature, 'base64'))) return 'forged';
  return isTimely(Number(time), now, TOLERANCE_MS) ? 'genuine' : 'stale';
}

function toWebhookItems(event: JsonObject): WebhookItem[] {
  const providerUserId = required(readId(event, 'user_id'), 'user_id'); // int64
  const id = required(readId(event, 'id'), 'id');
  switch (required(readText(event, 'type'), 'type')) {
    case 'workout.updated':
      return [changed(providerUserId, 'workout', id)];
    case 'workout.deleted':
      return [{ kind: 'deleted', providerUserId, resource: 'workout', id }];
    case 'sleep.deleted':
      return [{ kind: 'deleted', providerUserId, resource: 'sleep', id }, withoutNight(providerUserId)];
    // A recovery is named by its sleep and read together with it.
    case 'sleep.updated':
    case 'recovery.updated':
      return [changed(providerUserId, 'sleep', id)];
    case 'recovery.deleted':
      return [changed(providerUserId, 'sleep', id), withoutNight(providerUserId)];
    default:
      return [];
  }
}

/** Day values of a night have no id of their own. */
function withoutNight(providerUserId: string): WebhookItem {
  return { kind: 'reconcile', providerUserId, resource: 'sleep', of: REPORTED_BY_NIGHTS, interval: null };
}

function changed(providerUserId: string, resource: string, id: string): WebhookItem {
  return { kind: 'changed', providerUserId, resource, id, from: null, to: null };
}
