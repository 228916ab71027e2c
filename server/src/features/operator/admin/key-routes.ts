// The operator's endpoints of API keys.

import type { Environment } from '../../../domain/tenancy.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { AppError } from '../../../platform/errors.ts';
import { dialect, type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject, timestamp } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import {
  type ApiKeyRecord,
  createApiKey,
  DEFAULT_KEY_NAME,
  listApiKeys,
  type NewApiKey,
  rotateApiKey,
} from '../../tenancy/accounts/index.ts';
import { countCreations, type KeyCreations, type Revocation, revokeKey, type WhichKey } from './revoke-key.ts';
import { accountName, environment } from './routes.ts';

const tag = 'Operator';
const access = { to: 'operator' } as const;

const keyName = () => Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]+$' });
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
      { id: Type.String(), still_active: creationsReply },
      { description: 'the key that the rotation revoked' },
    ),
  ),
});
const keyReply = Type.Object({
  id: Type.String(),
  account: Type.String(),
  environment: Type.String(),
  name: Type.String(),
  last_four: Type.String(),
  status: oneOfWords(['active', 'expired', 'revoked']),
  created_at: timestamp(),
  expires_at: timestamp(),
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
        : { id: made.replaced, still_active: presentCreations(made.stillActive) },
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
    dialects: {
      both: dialect({
        body: requestObject({ account: accountName(), environment: environment(), name: Type.Optional(keyName()) }),
        replies: { 201: newKeyReply },
        parse: ({ body }) => body,
        present: presentNewKey,
      }),
    },
    errors: ['not_found', 'name_taken', 'key_limit'],
    handle: async ({ services }, { account, environment, name }) =>
      withStillActive(services, await createApiKey(services, account, environment, name ?? null)),
  }),
  route({
    method: 'POST',
    path: '/admin/keys/rotate',
    operationId: 'adminRotateKey',
    tag,
    summary: 'Replace the key with this name; the previous key is revoked immediately',
    access,
    dialects: {
      both: dialect({
        body: requestObject({ account: accountName(), environment: environment(), name: keyName() }),
        replies: { 201: newKeyReply },
        parse: ({ body }) => body,
        present: presentNewKey,
      }),
    },
    errors: ['not_found'],
    handle: async ({ services }, { account, environment, name }) =>
      withStillActive(services, await rotateApiKey(services, account, environment, name)),
  }),
  route({
    method: 'GET',
    path: '/admin/keys',
    operationId: 'adminListKeys',
    tag,
    summary: 'List API keys without their secrets',
    access,
    dialects: {
      both: dialect({
        replies: { 200: Type.Object({ data: Type.Array(keyReply) }) },
        parse: () => null,
        present: ({ keys, now }: { keys: ApiKeyRecord[]; now: Date }) => ({
          status: 200,
          body: { data: keys.map((key) => presentKey(key, now)) },
        }),
      }),
    },
    handle: async ({ services }) => ({ keys: await listApiKeys(services.db), now: services.clock.now() }),
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
    dialects: {
      both: dialect({
        body: requestObject({
          id: Type.Optional(Type.String({ format: 'uuid' })),
          account: Type.Optional(accountName()),
          environment: Type.Optional(environment()),
          name: Type.Optional(keyName()),
          end_sessions: Type.Optional(Type.Boolean()),
          end_webhooks: Type.Optional(Type.Boolean()),
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
          end: { sessions: body.end_sessions ?? false, webhooks: body.end_webhooks ?? false },
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
      }),
    },
    errors: ['not_found'],
    handle: ({ services }, { which, end }) => revokeKey(services, which, end),
  }),
];

/** Either the id, or account, environment and name. */
function readWhichKey(body: { id?: string; account?: string; environment?: Environment; name?: string }): WhichKey {
  const { id, account, environment, name } = body;
  if (id !== undefined && account === undefined && environment === undefined && name === undefined) return { id };
  if (id === undefined && account !== undefined && environment !== undefined)
    return { account, environment, name: name ?? DEFAULT_KEY_NAME };
  const message = 'must have either id, or account and environment';
  throw new AppError('invalid_body', { details: { issues: [{ path: '', message }] } });
}

async function withStillActive(services: Parameters<typeof createApiKey>[0], made: NewApiKey): Promise<CreatedKey> {
  const { replaced } = made;
  return {
    ...made,
    stillActive: replaced === null ? null : await countCreations(services.db, replaced, services.clock.now()),
  };
}

function presentCreations({ sdkSessions, mobileTokens, webhooks }: KeyCreations) {
  return { sdk_sessions: sdkSessions, mobile_tokens: mobileTokens, webhooks };
}

function presentKey(key: ApiKeyRecord, now: Date) {
  return {
    id: key.id,
    account: key.account.name,
    environment: key.environment,
    name: key.name,
    last_four: key.lastFour,
    status: key.revokedAt !== null ? 'revoked' : now >= key.expiresAt ? 'expired' : 'active',
    created_at: formatInstant(key.createdAt),
    expires_at: formatInstant(key.expiresAt),
  };
}
