// Request and response schemas of connecting a device.

import { nullable, oneOfWords, requestObject, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';

export const connectBody = requestObject({
  provider: nullable(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'a `provider` from GET /v1/providers. Null: the user chooses on the page',
    }),
  ),
  redirect_url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_048,
      description:
        'where we redirect the user at the end, with `device_id`, `status` (`active` or `failed`) and, after a failure, `failure_reason` (`declined`, `provider_error`, `expired`, `nothing_shared`) in the query, also by its former name `reason`; must use https or a scheme that the account has registered, in the sandbox also http on localhost. If omitted, we show a result page',
    }),
  ),
});

export const connectReply = Type.Object(
  {
    id: nullable(uuid('device; null if the user chooses the provider')),
    provider: nullable(Type.String()),
    status: oneOfWords(['pending']),
    auth_url: Type.String({
      format: 'uri',
      description:
        'open this URL in the user’s browser. It expires after 30 minutes. A link to one provider works once; with `provider: null` it can be opened again until it expires. Add `?lang=de` to choose a language and `?display=popup` to open it in a popup, which reports the outcome to the page at the origin of `redirect_url`',
    }),
  },
  { title: 'DeviceConnection' },
);
