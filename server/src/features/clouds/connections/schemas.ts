// Request and response schemas of connecting a device.

import { oneOfWords, requestObject, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';

export const connectBody = requestObject({
  provider: Type.String({ minLength: 1, maxLength: 64, description: 'an `id` from GET /v1/providers' }),
  redirect_url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_048,
      description:
        'where we redirect the user at the end, with `device_id` and `status` (`active` or `failed`) in the query; must use https or a scheme that the account has registered. If omitted, we show a result page',
    }),
  ),
});

export const connectReply = Type.Object({
  id: uuid('device'),
  provider: Type.String(),
  status: oneOfWords(['pending']),
  auth_url: Type.String({
    format: 'uri',
    description: 'open this URL in the user’s browser; it works once and expires after 30 minutes',
  }),
});
