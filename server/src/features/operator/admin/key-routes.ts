// The operator's endpoints of API keys.

import type { Environment } from '../../../domain/tenancy.ts';
import { formatInstant, formatNullableInstant } from '../../../domain/time/calendar.ts';
import { SECOND_MS } from '../../../domain/time/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import {
  matching,
  nullable,
  oneOfWords,
  requestObject,
  timestamp,
  withDefault,
} from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import {
  type ApiKeyDetails,
  createApiKey,
  DEFAULT_KEY_NAME,
  expiresSoon,
  getAccountOrThrow,
  hasEnded,
  listApiKeys,
  MAX_OVERLAP_MS,
  type NewApiKey,
  operatorActor,
  renameApiKey,
  rotateApiKey,
  type WhichKey,
} from '../../tenancy/accounts/index.ts';
import { countCreations, type KeyCreations, type Revocation, revokeKey } from './revoke-key.ts';
import { accountName, environment } from './routes.ts';

const tag = 'Operator';
const access = { to: 'operator' } as const;

const KEY_NAME = matching('^[^\\u0000-\\u001f\\u007f]+$', 'must not contain control characters');
export const keyName = () => Type.String({ minLength: 1, maxLength: 100, ...KEY_NAME });
/** Either the id, or account, environment and name (`readWhichKey`). */
const whichKey = () => ({
  id: Type.Optional(Type.String({ format: 'uuid' })),
  account: Type.Optional(accountName()),
  environment: Type.Optional(environment()),
  name: Type.Optional(keyName()),
});
const creationsReply = Type.Object({
  sdk_sessions: Type.Integer(),
  mobile_tokens: Type.Integer(),
  webhooks: Type.Integer(),
});
const newKeyReply = Type.Object({
  key: Type.String(),
  environment: Type.String(),
  account: Type.String(),
  expires_at: timestamp(),
  id: Type.String(),
  name: Type.String(),
  replaced: nullable(
    Type.Object(
      {
        id: Type.String(),
        ends_at: timestamp(),
        still_active: creationsReply,
      },
      { description: 'the key that the rotation replaced' },
    ),
  ),
});
const keyReply = Type.Object({
  id: Type.String(),
  account: Type.String(),
  environment: Type.String(),
  name: Type.String(),
  last_four: Type.String(),
  status: oneOfWords(['active', 'ending', 'expired', 'revoked']),
  created_at: timestamp(),
  created_by: Type.String({ description: 'the name of a member, or `operator`, `cli` or `first_start`' }),
  expires_at: timestamp(),
  expires_soon: Type.Boolean({ description: 'active, and expires within 14 days' }),
  ends_at: nullable(timestamp()),
  replaced_by: nullable(Type.String({ description: 'id of the newest key that replaced it' })),
  last_used_at: nullable(timestamp()),
  last_used_agent: nullable(Type.String({ description: 'User-Agent of that request, at most 200 characters' })),
});

type CreatedKey = NewApiKey & { readonly stillActive: KeyCreations | null };

const presentNewKey = (made: CreatedKey) => ({
  status: 201,
  body: {
    key: made.key,
    environment: made.environment,
    account: made.account,
    expires_at: formatInstant(made.expiresAt),
    id: made.id,
    name: made.name,
    replaced:
      made.replaced === null || made.stillActive === null
        ? null
        : {
            id: made.replaced.id,
            ends_at: formatInstant(made.replaced.endsAt),
            still_active: presentCreations(made.stillActive),
          },
  },
  headers: { 'cache-control': 'no-store' },
});

export const keyRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/admin/keys',
    operationId: 'adminCreateKey',
    tag,
    summary: 'Create an API key',
    description:
      'Existing keys stay valid; use rotate to replace one. A name identifies a key within its environment, in lists and when you rotate or revoke it. Without a name the first key is called `default`, later ones `key-2`, `key-3` and so on.',
    access,
    healthDataOf: 'nobody',
    body: requestObject({ account: accountName(), environment: environment(), name: Type.Optional(keyName()) }),
    replies: { 201: newKeyReply },
    present: presentNewKey,
    errors: ['not_found', 'name_taken', 'key_limit'],
    handle: async (context, { body }) =>
      withStillActive(context.services, await createApiKey(context.services, body, operatorActor(context))),
  }),
  route({
    method: 'POST',
    path: '/admin/keys/rotate',
    operationId: 'adminRotateKey',
    tag,
    summary: 'Replace a key; the previous key is revoked immediately, or after an overlap',
    description:
      'Names the key by `id`, or by `account`, `environment` and `name`. The new key has the same name. Without `overlap_seconds` the previous key, and keys that it replaced itself, are rejected at once. With it they work until the overlap ends, but not beyond their expiry.',
    access,
    healthDataOf: 'nobody',
    body: requestObject({
      ...whichKey(),
      overlap_seconds: withDefault(
        Type.Integer({
          minimum: 0,
          maximum: MAX_OVERLAP_MS / SECOND_MS,
          description: 'how long the previous key keeps working; 0: not at all',
        }),
        0,
      ),
    }),
    replies: { 201: newKeyReply },
    parse: ({ body }) => ({
      which: readWhichKey(body),
      overlapMs: body.overlap_seconds * SECOND_MS,
    }),
    present: presentNewKey,
    errors: ['not_found', 'key_ended', 'key_limit'],
    handle: async (context, { which, overlapMs }) =>
      withStillActive(context.services, await rotateApiKey(context.services, which, overlapMs, operatorActor(context))),
  }),
  route({
    method: 'GET',
    path: '/admin/keys',
    operationId: 'adminListKeys',
    tag,
    summary: 'List API keys without their secrets',
    access,
    healthDataOf: 'nobody',
    query: requestObject({
      account: Type.Optional(accountName()),
      environment: Type.Optional(environment()),
    }),
    replies: { 200: Type.Object({ data: Type.Array(keyReply) }) },
    parse: ({ query }) => ({ account: query.account ?? null, environment: query.environment ?? null }),
    present: ({ keys, now }: { keys: ApiKeyDetails[]; now: Date }) => ({
      status: 200,
      body: { data: keys.map((key) => presentKey(key, now)) },
    }),
    errors: ['not_found'],
    handle: async ({ services }, { account, environment }) => {
      const accountId = account === null ? null : (await getAccountOrThrow(services, account)).id;
      return { keys: await listApiKeys(services.db, { accountId, environment }), now: services.clock.now() };
    },
  }),
  route({
    method: 'PATCH',
    path: '/admin/keys/:id',
    operationId: 'adminRenameKey',
    tag,
    summary: 'Rename an API key',
    access,
    healthDataOf: 'nobody',
    body: requestObject({ name: keyName() }),
    replies: { 200: keyReply },
    present: ({ key, now }: { key: ApiKeyDetails; now: Date }) => ({ status: 200, body: presentKey(key, now) }),
    errors: ['not_found', 'name_taken', 'key_ended'],
    handle: async (context, { params, body }) => ({
      key: await renameApiKey(context.services, { ...params, ...body }, operatorActor(context)),
      now: context.services.clock.now(),
    }),
  }),
  route({
    method: 'POST',
    path: '/admin/keys/revoke',
    operationId: 'adminRevokeKey',
    tag,
    summary: 'Revoke a key by id or name, and optionally everything created with it',
    description:
      '`end_sessions` revokes SDK sessions, mobile tokens and user tokens that were created with the key; `end_webhooks` disables its webhooks. Both also work on a key that is already revoked.',
    access,
    healthDataOf: 'nobody',
    body: requestObject({
      ...whichKey(),
      end_sessions: withDefault(Type.Boolean(), false),
      end_webhooks: withDefault(Type.Boolean(), false),
    }),
    replies: {
      200: Type.Object({
        revoked: Type.Integer(),
        id: nullable(Type.String()),
        ended: creationsReply,
        still_active: creationsReply,
      }),
    },
    parse: ({ body }) => ({
      which: readWhichKey(body),
      end: { sessions: body.end_sessions, webhooks: body.end_webhooks },
    }),
    present: ({ key, isRevoked, ended, stillActive }: Revocation) => ({
      status: 200,
      body: {
        revoked: isRevoked ? 1 : 0,
        id: key?.id ?? null,
        ended: presentCreations(ended),
        still_active: presentCreations(stillActive),
      },
    }),
    errors: ['not_found'],
    handle: (context, { which, end }) => revokeKey(context.services, which, end, operatorActor(context)),
  }),
];

function readWhichKey(body: { id?: string; account?: string; environment?: Environment; name?: string }): WhichKey {
  const { id, account, environment, name } = body;
  if (id !== undefined && account === undefined && environment === undefined && name === undefined) return { id };
  if (id === undefined && account !== undefined && environment !== undefined)
    return { account, environment, name: name ?? DEFAULT_KEY_NAME };
  const message = 'must have either id, or account and environment';
  throw new AppError('invalid_body', { details: { issues: [{ path: '', message }] } });
}

async function withStillActive(services: Pick<Services, 'clock' | 'db'>, made: NewApiKey): Promise<CreatedKey> {
  const { replaced } = made;
  return {
    ...made,
    stillActive: replaced === null ? null : await countCreations(services.db, replaced.id, services.clock.now()),
  };
}

function presentCreations({ sdkSessions, mobileTokens, webhooks }: KeyCreations) {
  return { sdk_sessions: sdkSessions, mobile_tokens: mobileTokens, webhooks };
}

function presentKey(key: ApiKeyDetails, now: Date) {
  return {
    id: key.id,
    account: key.account.name,
    environment: key.environment,
    name: key.name,
    last_four: key.lastFour,
    status: statusOf(key, now),
    created_at: formatInstant(key.createdAt),
    created_by: key.createdBy,
    expires_at: formatInstant(key.expiresAt),
    expires_soon: expiresSoon(key, now),
    ends_at: formatNullableInstant(key.end?.at ?? null),
    replaced_by: key.replacedBy,
    last_used_at: formatNullableInstant(key.lastUsedAt),
    last_used_agent: key.lastUsedAgent,
  };
}

/** `ending`: replaced, and accepted until the overlap ends. */
function statusOf(key: ApiKeyDetails, now: Date): string {
  if (hasEnded(key, now)) return 'revoked';
  if (now >= key.expiresAt) return 'expired';
  return key.end === null ? 'active' : 'ending';
}
