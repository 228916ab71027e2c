// Webhooks name a type and times; the data is fetched. Google sends our secret back and signs the body.
// https://developers.google.com/health/webhooks

import type { EpochMs } from '../../domain/records/records.ts';
import { HOUR_MS } from '../../domain/time/durations.ts';
import { isSameSecret } from '../../platform/crypto/is-same-secret.ts';
import type { WebhookItem, WebhookRequest, WebhookRule, WebhookSecrets } from '../contract.ts';
import { parseJsonBytes } from '../parse-json.ts';
import { asObject, type JsonObject, readId, readList, readPart, readText, required } from '../read-json.ts';
import { parseLocalTime, parseMoment } from '../read-time.ts';
import { PLANS, type Plan, planNameOf } from './plans.ts';
import { checkSignature, GOOGLE_KEYS } from './signature.ts';

/** The largest offset from UTC, so that every local time is within it. */
const WALL_REACH_MS = 14 * HOUR_MS;
const BEYOND_END_MS = 1_000;

export const GOOGLE_WEBHOOK: WebhookRule = {
  trust: 'token',
  /** Google sends the challenge twice: with the secret it must be accepted, without it rejected. */
  answerChallenge(request, secrets) {
    if (!isVerification(request.body)) return null;
    return { status: isSecretSent(request, secrets) ? 201 : 401, body: '' };
  },
  verify(request, secrets) {
    const { headers, body } = request;
    const sent = headers['google-health-api-signature'] ?? headers['x-healthapi-signature']; // its earlier name
    const signature = checkSignature(sent, body, secrets.publicKeys);
    // Some deployments receive the secret only in the challenge: then the signature alone has to suffice.
    const isKnown = headers.authorization === undefined ? signature === 'valid' : isSecretSent(request, secrets);
    return isKnown && signature !== 'invalid' ? 'genuine' : 'forged';
  },
  /** One, or a list. */
  readWebhookItems(body) {
    const parsed = parseJsonBytes(body);
    return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((item) => {
      const data = readPart(asObject(item, 'a webhook'), 'data');
      return data === null ? [] : readWebhook(data);
    });
  },
  acknowledgement: { status: 204 },
  subscriptions: null, // created by hand with an account of the project: the application's own credentials cannot create it
  publicKeys: GOOGLE_KEYS,
};

function readWebhook(data: JsonObject): WebhookItem[] {
  const providerUserId = required(readId(data, 'healthUserId'), 'healthUserId');
  const type = readText(data, 'dataType');
  const isDeletion = readText(data, 'operation') === 'DELETE';
  const intervals = readList(data, 'intervals').map(readInterval);
  return PLANS.filter((plan) => plan.type === type).flatMap((plan) =>
    intervals
      .map((interval) => reachEnd(plan, interval))
      .map((interval) => ({
        providerUserId,
        ...(isDeletion ? toReconciled(plan, interval) : toChanged(plan, interval)),
      })),
  );
}

type WebhookInterval = { readonly from: EpochMs; readonly to: EpochMs };

/** A sleep is filtered by its end, where the webhook's interval ends, so the window extends beyond it. */
function reachEnd({ as }: Plan, { from, to }: WebhookInterval): WebhookInterval {
  return as === 'sleep' ? { from, to: (to + BEYOND_END_MS) as EpochMs } : { from, to };
}

function toChanged(plan: Plan, interval: WebhookInterval) {
  return { kind: 'changed' as const, resource: planNameOf(plan), id: null, ...interval };
}

/** The webhook has no id: we reconcile the interval. */
function toReconciled(plan: Plan, interval: WebhookInterval) {
  return { kind: 'reconcile' as const, resource: planNameOf(plan), of: plan.mapping.of, interval };
}

/** physicalTimeInterval in UTC, otherwise civilIso8601TimeInterval in local time; the end may be missing. */
function readInterval(interval: JsonObject): WebhookInterval {
  const physical = readPart(interval, 'physicalTimeInterval');
  if (physical !== null) return readEnds(physical, (text) => parseMoment(text, 'physicalTimeInterval').ms, 0);
  const civil = required(readPart(interval, 'civilIso8601TimeInterval'), 'physicalTimeInterval');
  return readEnds(civil, (text) => parseLocalTime(text, 'civilIso8601TimeInterval'), WALL_REACH_MS);
}

function readEnds(ends: JsonObject, parse: (text: string) => number, reachMs: number): WebhookInterval {
  const start = required(readText(ends, 'startTime'), 'startTime');
  const end = readText(ends, 'endTime') ?? start;
  return { from: (parse(start) - reachMs) as EpochMs, to: (parse(end) + reachMs) as EpochMs };
}

/** Our secret follows the scheme. */
function isSecretSent({ headers }: WebhookRequest, { verificationToken }: WebhookSecrets): boolean {
  return verificationToken !== '' && isSameSecret(`Bearer ${verificationToken}`, headers.authorization ?? '');
}

function isVerification(body: Uint8Array): boolean {
  try {
    return readText(asObject(parseJsonBytes(body)), 'type') === 'verification';
  } catch {
    return false;
  }
}
