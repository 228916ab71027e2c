// Wire schemas of SDK sessions. Both API forms use the same bodies.

import { SCOPES } from '../../../domain/metrics/categories.ts';
import { ON_DEVICE_PROVIDERS } from '../../../domain/provider-ids.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { PLATFORMS } from './sdk-session.ts';

const installationId = () =>
  Type.String({
    minLength: 1,
    maxLength: 128,
    description: 'identifies the installation; sending the same id again recovers its session',
  });
type Described = { readonly description?: string };
const sources = (described: Described = {}) =>
  Type.Array(oneOfWords(ON_DEVICE_PROVIDERS, { title: 'OnDeviceProvider' }), {
    minItems: 1,
    uniqueItems: true,
    ...described,
  });
const scopes = (described: Described = {}) =>
  Type.Array(oneOfWords(SCOPES, { title: 'DataScope' }), { minItems: 1, uniqueItems: true, ...described });

export const createBody = requestObject({
  installation_id: installationId(),
  platform: oneOfWords(PLATFORMS, { title: 'Platform' }),
  sources: Type.Optional(sources({ description: 'default: those of the platform, or of the recovered session' })),
  scopes: Type.Optional(scopes({ description: 'default: all, or those of the recovered session' })),
  app_version: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});
export const exchangeBody = requestObject({
  client_token: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'a client token (ct_…) or a mobile token (mt_…); works once',
  }),
  installation_id: Type.Optional(installationId()),
  platform: Type.Optional(oneOfWords(PLATFORMS, { title: 'Platform' })),
});
export const refreshBody = requestObject({ refresh_token: Type.String({ minLength: 1, maxLength: 200 }) });

export const bootstrapReply = Type.Object(
  {
    session_id: uuid('session'),
    user_id: uuid('user'),
    status: oneOfWords(['pending', 'active', 'revoked'], {
      description:
        '`revoked`: the session was revoked since the first request with this key, and its token is rejected',
    }),
    client_token: Type.String(),
    client_token_expires_at: timestamp(),
    endpoints: Type.Object(
      { exchange: Type.String(), refresh: Type.String(), upload: Type.String() },
      { title: 'SdkEndpoints' },
    ),
    sources: sources(),
    scopes: scopes(),
    sync: Type.Object({ background_interval_minutes: Type.Integer() }, { title: 'SdkSyncSettings' }),
  },
  { title: 'SdkBootstrap' },
);
export const credentialsReply = Type.Object(
  {
    access_token: Type.String(),
    token_type: oneOfWords(['Bearer']),
    expires_at: timestamp(),
    refresh_token: Type.String(),
    session_id: uuid('session'),
    user_id: uuid('user'),
    scopes: scopes(),
  },
  { title: 'SdkCredentials' },
);
export const listReply = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          session_id: uuid('session'),
          installation_id: Type.String(),
          platform: nullable(oneOfWords(PLATFORMS, { title: 'Platform' })),
          sources: sources(),
          status: oneOfWords(['pending', 'active']),
          created_at: timestamp(),
          activated_at: nullable(timestamp()),
          last_upload_at: nullable(timestamp()),
        },
        { title: 'SdkSession' },
      ),
    ),
  },
  { title: 'SdkSessionList' },
);
