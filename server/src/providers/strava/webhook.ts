// Webhooks of Strava: they name an athlete and an activity, and everything is fetched. The secret in their path authenticates them.
// https://developers.strava.com/docs/webhooks/
import { MINUTE_MS } from '../../domain/time/durations.ts';
import { isSameSecret } from '../../platform/crypto/is-same-secret.ts';
import type { WebhookItem, WebhookRequest, WebhookRule, WebhookSecrets, WebhookVerdict } from '../contract.ts';
import { parseJsonBytes } from '../parse-json.ts';
import { asObject, type JsonObject, readId, readPart, readText, required } from '../read-json.ts';
import { isTimely, signSha256 } from '../webhook-signatures.ts';
import { STRAVA_ACTIVITIES } from './resources.ts';
import { stravaSubscriptions } from './subscriptions.ts';

/** Of a retry, too, if it has the first timestamp. */
const TOLERANCE_MS = 15 * MINUTE_MS;

export const stravaWebhook: WebhookRule = {
  trust: 'path',
  answerChallenge,
  verify,
  readWebhookItems: (body) => toWebhookItems(asObject(parseJsonBytes(body))),
  subscriptions: stravaSubscriptions,
};

/** During the request that subscribes. */
function answerChallenge({ method, query }: WebhookRequest, { verificationToken }: WebhookSecrets) {
  const { 'hub.mode': mode, 'hub.challenge': challenge, 'hub.verify_token': token } = query;
  if (method !== 'GET' || mode !== 'subscribe' || challenge === undefined || token === undefined) return null;
  if (!isSameSecret(verificationToken, token)) return { status: 401, body: '' };
  return { status: 200, body: JSON.stringify({ 'hub.challenge': challenge }) };
}

function verify(request: WebhookRequest, secrets: WebhookSecrets, now: Date): WebhookVerdict {
  const isOurs = request.path.split('/').some((part) => isSameSecret(secrets.verificationToken, part));
  return isOurs ? verifySignature(request, secrets, now) : 'forged';
}

const SIGNATURE = /^t=(\d{1,11}),\s*v1=([0-9a-f]{64})$/i;

/**
 * Strava documents no signature, and some clients report one: hex of HMAC-SHA256 over "time.body". It can only reject a webhook
 * that the path would let through. A header of another form decides nothing, so that a wrong guess loses no webhook.
 */
function verifySignature(
  { headers, body }: WebhookRequest,
  { clientSecret }: WebhookSecrets,
  now: Date,
): WebhookVerdict {
  const [, time, signature] = SIGNATURE.exec(headers['x-strava-signature'] ?? '') ?? [];
  if (time === undefined || signature === undefined) return 'genuine';
  if (!isSameSecret(signSha256(clientSecret, `${time}.`, body), Buffer.from(signature, 'hex'))) return 'forged';
  return isTimely(Number(time) * 1_000, now, TOLERANCE_MS) ? 'genuine' : 'stale';
}

function toWebhookItems(event: JsonObject): WebhookItem[] {
  const providerUserId = required(readId(event, 'owner_id'), 'owner_id'); // int64
  const id = required(readId(event, 'object_id'), 'object_id'); // int64
  const aspect = required(readText(event, 'aspect_type'), 'aspect_type');
  if (readText(event, 'object_type') === 'athlete')
    return isRevoked(event) ? [{ kind: 'deauthorized', providerUserId }] : [];
  if (readText(event, 'object_type') !== 'activity') return [];
  // Also if it becomes visible to the athlete only, and we may not read such activities.
  if (aspect === 'delete') return [{ kind: 'deleted', providerUserId, resource: STRAVA_ACTIVITIES, id }];
  return [{ kind: 'changed', providerUserId, resource: STRAVA_ACTIVITIES, id, from: null, to: null }];
}

/** A string, as documented; a boolean costs nothing to accept. */
function isRevoked(event: JsonObject): boolean {
  return String(readPart(event, 'updates')?.authorized) === 'false';
}
