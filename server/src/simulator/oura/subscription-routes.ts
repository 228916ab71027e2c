// Subscriptions of the whole application, one for each kind of document and event. The callback has to answer a
// challenge first.

import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../domain/time/durations.ts';
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Call, SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import type { Subscription } from '../subscription-store.ts';
import { refuseParameter, refuseRequest } from './refuse.ts';

const PATH = '/v2/webhook/subscription';
const LIFE_MS = 90 * DAY_MS;
const EVENT_TYPES = ['create', 'update', 'delete'];
const DATA_TYPES = [
  'tag',
  'enhanced_tag',
  'workout',
  'session',
  'sleep',
  'daily_sleep',
  'daily_readiness',
  'daily_activity',
  'daily_spo2',
  'sleep_time',
  'rest_mode_period',
  'ring_configuration',
  'daily_stress',
  'daily_cycle_phases',
  'activation_status',
  'daily_cardiovascular_age',
  'daily_resilience',
  'vo2_max',
];

export const subscriptionRoutes: readonly SimulatedRoute[] = [
  { method: 'GET', path: PATH, access: 'application', answer: answerList },
  { method: 'POST', path: PATH, access: 'application', answer: answerCreate },
  { method: 'PUT', path: `${PATH}/renew/{id}`, access: 'application', answer: (call) => onOne(call, renew) },
  { method: 'GET', path: `${PATH}/{id}`, access: 'application', answer: (call) => onOne(call, present) },
  { method: 'DELETE', path: `${PATH}/{id}`, access: 'application', answer: (call) => onOne(call, remove) },
];

export function topicOf(dataType: string, eventType: string): string {
  return `${dataType} ${eventType}`;
}

function answerList({ context }: Call): RawReply {
  return replyJson(200, context.subscriptions.list(context.now()).map(describe));
}

async function answerCreate(call: Call): Promise<RawReply> {
  const { context, json } = call;
  const read = (name: string) => (typeof json?.[name] === 'string' ? json[name] : '');
  const [callbackUrl, token] = [read('callback_url'), read('verification_token')];
  const [dataType, eventType] = [read('data_type'), read('event_type')];
  if (!URL.canParse(callbackUrl)) return refuseParameter('body', 'callback_url', 'invalid or missing URL');
  if (token === '') return refuseParameter('body', 'verification_token', 'field required');
  if (!DATA_TYPES.includes(dataType)) return refuseParameter('body', 'data_type', 'not a valid data type');
  if (!EVENT_TYPES.includes(eventType)) return refuseParameter('body', 'event_type', 'not a valid event type');
  const topic = topicOf(dataType, eventType);
  const known = context.subscriptions.list(context.now());
  if (known.some((one) => one.topic === topic && one.callbackUrl === callbackUrl))
    return replyJson(409, { detail: 'The subscription already exists.' });
  if (!(await isAnswered(call, callbackUrl, token))) return refuseRequest('The callback did not answer the challenge.');
  const endsMs = context.now().getTime() + LIFE_MS;
  const made = { id: randomUUID(), topic, callbackUrl, endsMs, account: null, secret: null };
  context.subscriptions.put(made);
  return replyJson(201, describe(made));
}

/** 200 and the challenge in JSON. */
async function isAnswered({ context }: Call, callbackUrl: string, token: string): Promise<boolean> {
  const challenge = randomUUID();
  const url = new URL(callbackUrl);
  url.searchParams.set('verification_token', token);
  url.searchParams.set('challenge', challenge);
  const answer = await context.send({
    provider: 'oura',
    account: null,
    method: 'GET',
    url: url.href,
    headers: {},
    body: '',
  });
  return answer?.status === 200 && readChallenge(answer.body) === challenge;
}

function readChallenge(body: string): unknown {
  try {
    return (JSON.parse(body) as { challenge?: unknown } | null)?.challenge;
  } catch {
    return null;
  }
}

function onOne(call: Call, act: (call: Call, one: Subscription) => RawReply): RawReply {
  const found = call.context.subscriptions.find(call.params.id ?? '', call.context.now());
  return found === null ? replyJson(404, { detail: 'Subscription not found.' }) : act(call, found);
}

function present(_call: Call, one: Subscription): RawReply {
  return replyJson(200, describe(one));
}

function renew({ context }: Call, one: Subscription): RawReply {
  const renewed = { ...one, endsMs: context.now().getTime() + LIFE_MS };
  context.subscriptions.put(renewed);
  return replyJson(200, describe(renewed));
}

function remove({ context }: Call, { id }: Subscription): RawReply {
  context.subscriptions.remove(id);
  return { status: 204 };
}

function describe({ id, topic, callbackUrl, endsMs }: Subscription) {
  const [dataType, eventType] = topic.split(' ');
  return {
    id,
    callback_url: callbackUrl,
    event_type: eventType,
    data_type: dataType,
    expiration_time: new Date(endsMs ?? 0).toISOString(),
  };
}
