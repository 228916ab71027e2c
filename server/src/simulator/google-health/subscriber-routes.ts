// Subscribers of the project: where webhooks are sent. Service accounts are not simulated; the client secret replaces
// their token.
import { randomUUID } from 'node:crypto';
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Call, SimulatedRoute } from '../dialect.ts';
import { isSameClient } from '../oauth/client-authentication.ts';
import { replyJson } from '../reply-json.ts';
import type { Subscription } from '../subscription-store.ts';
import { DATA_TYPES } from './data-types.ts';
import { refuseArgument, refuseGoogle, refuseWith } from './refuse.ts';

const PATH = '/v4/projects/{project}/subscribers';
const SUBSCRIBABLE_TYPES = DATA_TYPES.filter(({ webhooks }) => webhooks !== 'none').map(({ type }) => type);

export const subscriberRoutes: readonly SimulatedRoute[] = [
  { method: 'GET', path: PATH, access: 'anyone', answer: (call) => asProject(call, answerList) },
  { method: 'POST', path: PATH, access: 'anyone', answer: (call) => asProject(call, answerCreate) },
  { method: 'DELETE', path: `${PATH}/{id}`, access: 'anyone', answer: (call) => asProject(call, answerDelete) },
];

function asProject(call: Call, answer: (call: Call) => RawReply | Promise<RawReply>): RawReply | Promise<RawReply> {
  const [, clientSecret = ''] = /^Bearer +(\S+)$/i.exec(call.request.headers.authorization ?? '') ?? [];
  const sent = { clientId: call.context.client.clientId, clientSecret };
  return isSameClient(call.context.client, sent) ? answer(call) : refuseGoogle('unauthorized');
}

function answerList({ context, params }: Call): RawReply {
  const known = context.subscriptions.list(context.now());
  return replyJson(200, { subscribers: known.map((one) => describe(params.project ?? '', one)) });
}

async function answerCreate(call: Call): Promise<RawReply> {
  const { context, json, params, query } = call;
  const url = json?.endpointUri;
  const secret = (json?.endpointAuthorization as { secret?: unknown } | undefined)?.secret;
  const types = readTypes(json?.subscriberConfigs);
  if (typeof url !== 'string' || !URL.canParse(url)) return refuseArgument('endpoint_uri is not a URL.');
  if (typeof secret !== 'string' || secret === '') return refuseArgument('endpoint_authorization.secret is missing.');
  const unknown = types.find((type) => !SUBSCRIBABLE_TYPES.includes(type));
  if (types.length === 0 || unknown !== undefined)
    return refuseArgument(`Unsupported data type: ${unknown ?? 'none'}.`);
  if (!(await isVerified(call, url, secret)))
    return refuseWith(400, 'FAILED_PRECONDITION', 'The endpoint failed the verification.');
  const id = query.get('subscriberId') ?? randomUUID();
  if (context.subscriptions.find(id, context.now()) !== null)
    return refuseWith(409, 'ALREADY_EXISTS', 'The subscriber already exists.');
  const made = { id, topic: types.join(' '), callbackUrl: url, endsMs: null, account: null, secret };
  context.subscriptions.put(made);
  return replyJson(200, { name: `operations/${id}`, done: true, response: describe(params.project ?? '', made) });
}

/** The endpoint must accept the secret and reject requests without it. */
async function isVerified({ context }: Call, url: string, secret: string): Promise<boolean> {
  const ask = async (authorization: Readonly<Record<string, string>>) => {
    const headers = { 'content-type': 'application/json', ...authorization };
    const body = JSON.stringify({ type: 'verification' });
    return (await context.send({ provider: 'google_health', account: null, method: 'POST', url, headers, body }))
      ?.status;
  };
  if ((await ask({ authorization: secret })) !== 201) return false;
  const denied = await ask({});
  return denied === 401 || denied === 403;
}

function answerDelete({ context, params }: Call): RawReply {
  const id = params.id ?? '';
  if (context.subscriptions.find(id, context.now()) === null) return refuseGoogle('not_found');
  context.subscriptions.remove(id);
  return replyJson(200, { name: `operations/${id}`, done: true });
}

/** Automatic subscriptions only; MANUAL ones, per user, are not simulated. */
function readTypes(configs: unknown): string[] {
  if (!Array.isArray(configs)) return [];
  return (configs as { dataTypes?: unknown; subscriptionCreatePolicy?: unknown }[])
    .filter((config) => config?.subscriptionCreatePolicy === 'AUTOMATIC')
    .flatMap(({ dataTypes }) => (Array.isArray(dataTypes) ? dataTypes.map(String) : []));
}

function describe(project: string, { id, topic, callbackUrl }: Subscription) {
  return {
    name: `projects/${project}/subscribers/${id}`,
    endpointUri: callbackUrl,
    subscriberConfigs: [{ dataTypes: topic.split(' '), subscriptionCreatePolicy: 'AUTOMATIC' }],
    state: 'ACTIVE',
    endpointAuthorization: { secretSet: true },
  };
}
