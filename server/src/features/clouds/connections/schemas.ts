// Wire schemas of connecting.

import { oneOfWords, requestObject, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';

export const connectBody = requestObject({
  provider: Type.String({ minLength: 1, maxLength: 64, description: 'one of GET /v1/providers' }),
  redirect_url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_048,
      description:
        'where the person lands in the end, with `device_id` and `status` (active or failed) in the query: https, or a scheme that the account has registered. Without it a page says what came of it',
    }),
  ),
});

export const connectReply = Type.Object({
  id: uuid('device'),
  provider: Type.String(),
  status: oneOfWords(['pending']),
  auth_url: Type.String({ format: 'uri', description: 'send the person there; works once, for 30 minutes' }),
});
