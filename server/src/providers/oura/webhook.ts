// Webhooks of Oura: one for each new, changed or deleted document.
// https://cloud.ouraring.com/v2/docs#tag/Webhook-Subscription-Routes

import type { MetricId } from '../../domain/metrics/index.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time/durations.ts';
import { isSameSecret } from '../../platform/crypto/is-same-secret.ts';
import type { WebhookItem, WebhookRequest, WebhookRule, WebhookSecrets, WebhookVerdict } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';
import { parseJsonBytes } from '../parse-json.ts';
import { asObject, type JsonObject, readId, readText, required } from '../read-json.ts';
import { readMoment } from '../read-time.ts';
import { isTimely, signSha256 } from '../webhook-signatures.ts';
import { OURA_RESOURCES } from './resources/index.ts';
import { ouraSubscriptions, WITH_WEBHOOKS } from './subscriptions.ts';

/** No limit is documented. A webhook only triggers a request, and a retry may still have its first timestamp. */
const TOLERANCE_MS = HOUR_MS;
/** Heart rate has no webhooks of its own: it is fetched with these. */
const WITH_HEART_RATE = ['sleep', 'daily_activity'];
/** Times after 2001 in milliseconds have more digits than times in seconds ever will. */
const LONGEST_SECONDS = 11;

/** The metrics that each kind of document reports without an id of their own: they may have to be deleted with the document. */
const DOCUMENT_METRICS: Readonly<Record<string, readonly MetricId[]>> = {
  sleep: metricIds('sleep_heart_rate_min'),
  daily_activity:
    metricIds(`steps active_calories light_activity moderate_activity vigorous_activity sedentary_time average_met
    resting_energy met_minutes`),
  daily_readiness: metricIds('sleep_temperature_deviation'),
  daily_spo2: metricIds('sleep_blood_oxygen blood_oxygen breathing_disturbances'),
  daily_stress: metricIds('stress_time_high stress_time_rest'),
  session: metricIds('mindfulness'),
  vo2_max: metricIds('vo2_max'),
  daily_cardiovascular_age: metricIds('pulse_wave_velocity'),
};

export const ouraWebhook: WebhookRule = {
  trust: 'hmac',
  answerChallenge,
  verify,
  readWebhookItems: (body) => toWebhookItems(asObject(parseJsonBytes(body))),
  subscriptions: ouraSubscriptions,
};

function answerChallenge({ method, query }: WebhookRequest, { verificationToken }: WebhookSecrets) {
  const { verification_token: token, challenge } = query;
  if (method !== 'GET' || token === undefined || challenge === undefined) return null;
  if (!isSameSecret(verificationToken, token)) return { status: 401, body: '' };
  return { status: 200, body: JSON.stringify({ challenge }) };
}

/** Hex of HMAC-SHA256 over the time and the body, usually in upper case. */
function verify({ headers, body }: WebhookRequest, { clientSecret }: WebhookSecrets, now: Date): WebhookVerdict {
  const { 'x-oura-signature': signature, 'x-oura-timestamp': time } = headers;
  if (signature === undefined || time === undefined) return 'forged';
  if (!isSameSecret(signSha256(clientSecret, time, body), Buffer.from(signature, 'hex'))) return 'forged';
  return isTimely(toMs(time), now, TOLERANCE_MS) ? 'genuine' : 'stale';
}

function toMs(time: string): number {
  if (!/^\d+$/.test(time)) return Date.parse(time);
  return time.length <= LONGEST_SECONDS ? Number(time) * 1_000 : Number(time);
}

function toWebhookItems(event: JsonObject): WebhookItem[] {
  const providerUserId = required(readId(event, 'user_id'), 'user_id');
  const resource = required(readText(event, 'data_type'), 'data_type');
  const id = required(readId(event, 'object_id'), 'object_id');
  if (!WITH_WEBHOOKS.includes(resource) || !OURA_RESOURCES.some(({ name }) => name === resource)) return [];
  if (readText(event, 'event_type') === 'delete') return toDeletions(providerUserId, resource, id);
  const changed: WebhookItem = { kind: 'changed', providerUserId, resource, id, from: null, to: null };
  const at = readMoment(event, 'event_time')?.ms ?? null;
  if (at === null || !WITH_HEART_RATE.includes(resource)) return [changed];
  const from = (at - DAY_MS) as typeof at;
  return [changed, { kind: 'changed', providerUserId, resource: 'heartrate', id: null, from, to: at }];
}

/** A deleted document is only named by its id: sleeps and workouts are stored with it, daily values and samples are not. */
function toDeletions(providerUserId: string, resource: string, id: string): WebhookItem[] {
  const of = metricsOfDocument(resource);
  return [
    { kind: 'deleted', providerUserId, resource, id },
    ...(of.length > 0 ? [{ kind: 'reconcile' as const, providerUserId, resource, of, interval: null }] : []),
  ];
}

/** Sleeps and sessions both report heart rate variability, so we cannot see which samples belonged to a deleted document. */
export function metricsOfDocument(resource: string): readonly MetricId[] {
  return DOCUMENT_METRICS[resource] ?? [];
}
