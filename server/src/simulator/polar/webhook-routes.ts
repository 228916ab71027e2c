// The application's single webhook. The URL has to answer a ping first; the secret is returned once.
import { randomBytes, randomUUID } from 'node:crypto';
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Call, SimulatedRoute } from '../dialect.ts';
import type { ProviderContext } from '../provider-context.ts';
import { replyJson } from '../reply-json.ts';
import type { Subscription } from '../subscription-store.ts';
import { explainError, nothingThere } from './refuse.ts';
import { signedPush } from './signed-push.ts';

const PATH = '/v3/webhooks';
const EVENTS = [
  'EXERCISE',
  'SLEEP',
  'CONTINUOUS_HEART_RATE',
  'SLEEP_WISE_CIRCADIAN_BEDTIME',
  'SLEEP_WISE_ALERTNESS',
  'ACTIVITY_SUMMARY',
  'PHYSICAL_INFORMATION',
];
const SWITCHED_OFF = 'webhook deactivated';

export const webhookRoutes: readonly SimulatedRoute[] = [
  { method: 'GET', path: PATH, access: 'application', answer: answerList },
  { method: 'POST', path: PATH, access: 'application', answer: answerCreate },
  { method: 'POST', path: `${PATH}/activate`, access: 'application', answer: (call) => answerSwitch(call, true) },
  { method: 'POST', path: `${PATH}/deactivate`, access: 'application', answer: (call) => answerSwitch(call, false) },
  { method: 'PATCH', path: `${PATH}/{id}`, access: 'application', answer: answerChange },
  { method: 'DELETE', path: `${PATH}/{id}`, access: 'application', answer: answerDelete },
];

/** Null: there is none, or it is deactivated. */
export function findActiveWebhook(context: ProviderContext): Subscription | null {
  return context.facts.has(SWITCHED_OFF) ? null : findWebhook(context);
}

export function eventsOf({ topic }: Subscription): string[] {
  return topic.split(',');
}

function findWebhook({ subscriptions, now }: ProviderContext): Subscription | null {
  return subscriptions.list(now())[0] ?? null;
}

function answerList({ context }: Call): RawReply {
  const found = findWebhook(context);
  return replyJson(200, { data: found === null ? [] : [describe(context, found)] });
}

async function answerCreate({ context, json }: Call): Promise<RawReply> {
  if (findWebhook(context) !== null) return explainError(context, 409, 'conflict', 'Webhook already exists');
  const [events, url] = [readEvents(json?.events), json?.url];
  const secret = randomUUID();
  if (events === null || typeof url !== 'string' || !(await isAnswered(context, url, secret)))
    return explainError(context, 400, 'bad_request', 'Webhook cannot be created');
  const id = randomBytes(4).toString('hex');
  context.facts.delete(SWITCHED_OFF);
  context.subscriptions.put({ id, topic: events.join(), callbackUrl: url, endsMs: null, account: null, secret });
  return replyJson(201, { data: { id, events, url, signature_secret_key: secret } });
}

async function answerChange({ context, json, params }: Call): Promise<RawReply> {
  const found = findWebhook(context);
  if (found === null || found.id !== params.id) return notFound(context);
  const events = json?.events === undefined ? eventsOf(found) : readEvents(json.events);
  const url = json?.url ?? found.callbackUrl;
  if (events === null || typeof url !== 'string' || !(await isAnswered(context, url, found.secret ?? '')))
    return explainError(context, 400, 'bad_request', 'Webhook cannot be updated');
  const changed = { ...found, topic: events.join(), callbackUrl: url };
  context.subscriptions.put(changed);
  return replyJson(200, { data: describe(context, changed) });
}

function answerDelete({ context, params }: Call): RawReply {
  if (findWebhook(context)?.id !== params.id) return notFound(context);
  context.subscriptions.remove(params.id ?? '');
  return { status: 204 };
}

function answerSwitch({ context }: Call, isOn: boolean): RawReply {
  if (findWebhook(context) === null) return nothingThere();
  if (isOn) context.facts.delete(SWITCHED_OFF);
  else context.facts.set(SWITCHED_OFF, context.now().toISOString());
  return { status: 200 };
}

/** Signed with a key that the application does not have yet. */
async function isAnswered(context: ProviderContext, url: string, secret: string): Promise<boolean> {
  if (!URL.canParse(url)) return false;
  const ping = { timestamp: context.now().toISOString(), event: 'PING' };
  const answer = await context.send(signedPush({ url, secret, account: null, event: ping }));
  return answer?.status === 200;
}

function readEvents(sent: unknown): string[] | null {
  if (!Array.isArray(sent) || sent.length === 0) return null;
  const events = sent.map(String);
  return events.every((event) => EVENTS.includes(event)) ? events : null;
}

function describe({ facts }: ProviderContext, one: Subscription) {
  return { id: one.id, events: eventsOf(one), url: one.callbackUrl, active: !facts.has(SWITCHED_OFF) };
}

function notFound(context: ProviderContext): RawReply {
  return explainError(context, 404, 'not_found', 'Webhook not found');
}
