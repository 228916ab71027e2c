// The application's single subscription. The callback has to echo a challenge while it is created.
import { randomBytes } from 'node:crypto';
import type { RawReply, RawRequest } from '../../platform/http/raw-route.ts';
import type { Call, SimulatedRoute } from '../dialect.ts';
import { type ClientCredentials, readBodyClient } from '../oauth/client-authentication.ts';
import type { ProviderContext } from '../provider-context.ts';
import { replyJson } from '../reply-json.ts';
import type { Subscription } from '../subscription-store.ts';
import { badRequest, refuseStrava } from './refuse.ts';

const PATH = '/api/v3/push_subscriptions';
const ALL_EVENTS = 'all';

export const subscriptionRoutes: readonly SimulatedRoute[] = [
  { method: 'GET', path: PATH, access: 'application', answer: ({ context }) => replyJson(200, list(context)) },
  { method: 'POST', path: PATH, access: 'application', answer: answerCreate },
  { method: 'DELETE', path: `${PATH}/{id}`, access: 'application', answer: answerDelete },
];

/** In the query, or in the form of a POST. */
export function readClient({ query, body, method }: RawRequest): ClientCredentials | null {
  return readBodyClient(method === 'POST' ? new URLSearchParams(body.toString()) : query);
}

export function findSubscription({ subscriptions, now }: ProviderContext): Subscription | null {
  return subscriptions.list(now())[0] ?? null;
}

function list(context: ProviderContext) {
  const found = findSubscription(context);
  if (found === null) return [];
  const at = context.now().toISOString();
  return [
    {
      id: Number(found.id),
      resource_state: 2,
      application_id: 1,
      callback_url: found.callbackUrl,
      created_at: at,
      updated_at: at,
    },
  ];
}

async function answerCreate({ context, form }: Call): Promise<RawReply> {
  const [callbackUrl, token] = [form.get('callback_url') ?? '', form.get('verify_token') ?? ''];
  if (findSubscription(context) !== null) return badRequest('PushSubscription', '', 'already exists');
  if (!URL.canParse(callbackUrl) || !(await echoes(context, callbackUrl, token)))
    return badRequest('PushSubscription', 'callback url', 'not verifiable');
  const id = randomBytes(4).readUInt32BE() + 1;
  context.subscriptions.put({
    id: String(id),
    topic: ALL_EVENTS,
    callbackUrl,
    endsMs: null,
    account: null,
    secret: null,
  });
  return replyJson(201, { id });
}

async function echoes(context: ProviderContext, callbackUrl: string, token: string): Promise<boolean> {
  const challenge = randomBytes(8).toString('hex');
  const url = new URL(callbackUrl);
  url.searchParams.set('hub.mode', 'subscribe');
  url.searchParams.set('hub.challenge', challenge);
  url.searchParams.set('hub.verify_token', token);
  const sent = { provider: 'strava', account: null, method: 'GET', url: url.href, headers: {}, body: '' } as const;
  const answer = await context.send(sent);
  return answer?.status === 200 && readChallenge(answer.body) === challenge;
}

function readChallenge(body: string): unknown {
  try {
    return (JSON.parse(body) as Readonly<Record<string, unknown>>)['hub.challenge'];
  } catch {
    return null;
  }
}

function answerDelete({ context, params }: Call): RawReply {
  if (findSubscription(context)?.id !== params.id) return refuseStrava('not_found');
  context.subscriptions.remove(params.id ?? '');
  return { status: 204 };
}
