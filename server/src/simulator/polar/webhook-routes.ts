// The one webhook of the application. Whoever is to be called has to answer a ping first; the secret is told once.
import { randomBytes, randomUUID } from 'node:crypto';
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Desk } from '../desk.ts';
import type { Call, Route } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import type { Subscription } from '../subscription-book.ts';
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
const SWITCHED_OFF = 'webhook switched off';

export const webhookRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, access: 'application', answer: answerList },
  { method: 'POST', path: PATH, access: 'application', answer: answerCreate },
  { method: 'POST', path: `${PATH}/activate`, access: 'application', answer: (call) => answerSwitch(call, true) },
  { method: 'POST', path: `${PATH}/deactivate`, access: 'application', answer: (call) => answerSwitch(call, false) },
  { method: 'PATCH', path: `${PATH}/{id}`, access: 'application', answer: answerChange },
  { method: 'DELETE', path: `${PATH}/{id}`, access: 'application', answer: answerDelete },
];

/** Null: there is none, or it is switched off. */
export function findActiveWebhook(desk: Desk): Subscription | null {
  return desk.facts.has(SWITCHED_OFF) ? null : findWebhook(desk);
}

export function eventsOf({ topic }: Subscription): string[] {
  return topic.split(',');
}

function findWebhook({ subscriptions, now }: Desk): Subscription | null {
  return subscriptions.list(now())[0] ?? null;
}

function answerList({ desk }: Call): RawReply {
  const found = findWebhook(desk);
  return replyJson(200, { data: found === null ? [] : [describe(desk, found)] });
}

async function answerCreate({ desk, json }: Call): Promise<RawReply> {
  if (findWebhook(desk) !== null) return explainError(desk, 409, 'conflict', 'Webhook already exists');
  const [events, url] = [readEvents(json?.events), json?.url];
  const secret = randomUUID();
  if (events === null || typeof url !== 'string' || !(await isAnswered(desk, url, secret)))
    return explainError(desk, 400, 'bad_request', 'Webhook cannot be created');
  const id = randomBytes(4).toString('hex');
  desk.facts.delete(SWITCHED_OFF);
  desk.subscriptions.put({ id, topic: events.join(), callbackUrl: url, endsMs: null, account: null, secret });
  return replyJson(201, { data: { id, events, url, signature_secret_key: secret } });
}

async function answerChange({ desk, json, params }: Call): Promise<RawReply> {
  const found = findWebhook(desk);
  if (found === null || found.id !== params.id) return notFound(desk);
  const events = json?.events === undefined ? eventsOf(found) : readEvents(json.events);
  const url = json?.url ?? found.callbackUrl;
  if (events === null || typeof url !== 'string' || !(await isAnswered(desk, url, found.secret ?? '')))
    return explainError(desk, 400, 'bad_request', 'Webhook cannot be updated');
  const changed = { ...found, topic: events.join(), callbackUrl: url };
  desk.subscriptions.put(changed);
  return replyJson(200, { data: describe(desk, changed) });
}

function answerDelete({ desk, params }: Call): RawReply {
  if (findWebhook(desk)?.id !== params.id) return notFound(desk);
  desk.subscriptions.remove(params.id ?? '');
  return { status: 204 };
}

function answerSwitch({ desk }: Call, isOn: boolean): RawReply {
  if (findWebhook(desk) === null) return nothingThere();
  if (isOn) desk.facts.delete(SWITCHED_OFF);
  else desk.facts.set(SWITCHED_OFF, desk.now().toISOString());
  return { status: 200 };
}

/** Signed with a key that nobody has been told yet. */
async function isAnswered(desk: Desk, url: string, secret: string): Promise<boolean> {
  if (!URL.canParse(url)) return false;
  const ping = { timestamp: desk.now().toISOString(), event: 'PING' };
  const answer = await desk.send(signedPush({ url, secret, account: null, event: ping }));
  return answer?.status === 200;
}

function readEvents(sent: unknown): string[] | null {
  if (!Array.isArray(sent) || sent.length === 0) return null;
  const events = sent.map(String);
  return events.every((event) => EVENTS.includes(event)) ? events : null;
}

function describe({ facts }: Desk, one: Subscription) {
  return { id: one.id, events: eventsOf(one), url: one.callbackUrl, active: !facts.has(SWITCHED_OFF) };
}

function notFound(desk: Desk): RawReply {
  return explainError(desk, 404, 'not_found', 'Webhook not found');
}
