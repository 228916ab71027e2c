// The dashboard's calls about API keys. Owners create, rotate, rename and end them.
import { formatInstant, formatNullableInstant } from '../../../domain/time/calendar.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/time/durations.ts';
import { notFound } from '../../../platform/errors.ts';
import type { MemberCaller } from '../../../platform/http/caller.ts';
import { noContent, type Route, route } from '../../../platform/http/route.ts';
import { nullable, requestObject, timestamp, uuid, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import {
  type ApiKeyDetails,
  actorOf,
  createApiKey,
  expiresSoon,
  getKeyOrThrow,
  hasEnded,
  listApiKeys,
  MAX_OVERLAP_MS,
  type NewApiKey,
  renameApiKey,
  rotateApiKey,
} from '../../tenancy/accounts/index.ts';
import { countRequestsByKey } from '../../tenancy/usage/index.ts';
import { keyName, revokeKey } from '../admin/index.ts';

const tag = 'Keys';
const changes = { to: 'member', role: 'owner', isDangerous: true } as const;

const keyReply = Type.Object({
  id: uuid('key'),
  name: Type.String(),
  last_four: Type.String(),
  created_at: timestamp(),
  created_by: Type.String(),
  expires_at: timestamp(),
  expires_soon: Type.Boolean({ description: 'within 14 days' }),
  ends_at: nullable(timestamp()),
  last_used_at: nullable(timestamp()),
  last_used_agent: nullable(Type.String()),
  requests_24h: Type.Integer({ description: 'calls in the last 24 hours; the latest five seconds may be missing' }),
});
const newKeyReply = Type.Object({
  id: uuid('key'),
  name: Type.String(),
  key: Type.String({ description: 'shown once' }),
  expires_at: timestamp(),
});
type Context = { readonly services: Pick<Services, 'clock' | 'db'>; readonly caller: MemberCaller };
/** `requests`: in 24 hours, by key. */
type KeyUsage = { readonly requests: ReadonlyMap<string, number>; readonly now: Date };
type Listed = KeyUsage & { readonly keys: readonly ApiKeyDetails[] };

const presentNew = ({ id, name, key, expiresAt }: NewApiKey) => ({
  status: 201,
  body: { id, name, key, expires_at: formatInstant(expiresAt) },
});

function presentKey(key: ApiKeyDetails, { requests, now }: KeyUsage) {
  return {
    id: key.id,
    name: key.name,
    last_four: key.lastFour,
    created_at: formatInstant(key.createdAt),
    created_by: key.createdBy,
    expires_at: formatInstant(key.expiresAt),
    expires_soon: expiresSoon(key, now),
    ends_at: formatNullableInstant(key.end?.at ?? null),
    last_used_at: formatNullableInstant(key.lastUsedAt),
    last_used_agent: key.lastUsedAgent,
    requests_24h: requests.get(key.id) ?? 0,
  };
}

async function readKeyUsage({ services: { clock, db }, caller }: Context): Promise<KeyUsage> {
  const now = clock.now();
  return { now, requests: await countRequestsByKey(db, caller.tenant, new Date(now.getTime() - DAY_MS)) };
}

/** A key of another account or environment is not found. */
async function requireOwnKey(services: Pick<Services, 'db'>, { tenant }: MemberCaller, id: string): Promise<string> {
  const key = await getKeyOrThrow(services, id);
  if (key.account.id !== tenant.accountId || key.environment !== tenant.environment) throw notFound('API key', { id });
  return key.id;
}

export const accountKeyRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/keys',
    operationId: 'listKeys',
    tag,
    summary: 'List the API keys that work or have expired, without their secrets',
    access: { to: 'member', role: 'viewer' },
    healthDataOf: 'nobody',
    replies: { 200: Type.Object({ data: Type.Array(keyReply) }) },
    present: (listed: Listed) => ({
      status: 200,
      body: { data: listed.keys.map((key) => presentKey(key, listed)) },
    }),
    handle: async ({ services, caller }): Promise<Listed> => {
      const { accountId, environment } = caller.tenant;
      const [keys, usage] = await Promise.all([
        listApiKeys(services.db, { accountId, environment }),
        readKeyUsage({ services, caller }),
      ]);
      return { keys: keys.filter((key) => !hasEnded(key, usage.now)), ...usage };
    },
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/:environment/keys',
    operationId: 'createKey',
    tag,
    summary: 'Create an API key beside the existing ones',
    access: changes,
    healthDataOf: 'nobody',
    body: requestObject({ name: Type.Optional(keyName()) }),
    replies: { 201: newKeyReply },
    present: presentNew,
    errors: ['name_taken', 'key_limit'],
    handle: (context, { body }) => {
      const { accountId: account, environment } = context.caller.tenant;
      return createApiKey(context.services, { account, environment, ...body }, actorOf(context));
    },
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/:environment/keys/:key_id/rotate',
    operationId: 'rotateKey',
    tag,
    summary: 'Replace a key; the previous one works for 24 more hours, or for overlap_hours',
    access: changes,
    healthDataOf: 'nobody',
    body: requestObject({
      overlap_hours: withDefault(
        Type.Integer({ minimum: 0, maximum: MAX_OVERLAP_MS / HOUR_MS, description: '0: it ends at once' }),
        24,
      ),
    }),
    replies: { 201: newKeyReply },
    present: presentNew,
    errors: ['not_found', 'key_ended', 'key_limit'],
    handle: async (context, { params, body }) => {
      const { services, caller } = context;
      const id = await requireOwnKey(services, caller, params.key_id);
      return rotateApiKey(services, { id }, body.overlap_hours * HOUR_MS, actorOf(context));
    },
  }),
  route({
    method: 'PATCH',
    path: '/dashboard/api/:environment/keys/:key_id',
    operationId: 'renameKey',
    tag,
    summary: 'Rename an API key',
    access: { to: 'member', role: 'owner' },
    healthDataOf: 'nobody',
    body: requestObject({ name: keyName() }),
    replies: { 200: keyReply },
    present: ({ key, ...usage }: KeyUsage & { readonly key: ApiKeyDetails }) => ({
      status: 200,
      body: presentKey(key, usage),
    }),
    errors: ['not_found', 'name_taken', 'key_ended'],
    handle: async (context, { params, body }) => {
      const { services, caller } = context;
      const id = await requireOwnKey(services, caller, params.key_id);
      const key = await renameApiKey(services, { id, ...body }, actorOf(context));
      return { key, ...(await readKeyUsage(context)) };
    },
  }),
  route({
    method: 'DELETE',
    path: '/dashboard/api/:environment/keys/:key_id',
    operationId: 'endKey',
    tag,
    summary: 'End an API key at once',
    access: changes,
    healthDataOf: 'nobody',
    ...noContent,
    errors: ['not_found'],
    handle: async (context, { params }) => {
      const { services, caller } = context;
      const id = await requireOwnKey(services, caller, params.key_id);
      await revokeKey(services, { id }, { sessions: false, webhooks: false }, actorOf(context));
    },
  }),
];
