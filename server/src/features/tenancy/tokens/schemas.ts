// Wire schemas of the token endpoints.

import { SCOPES } from '../../../domain/metrics/categories.ts';
import { oneOfWords, requestObject, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';

const userId = () => Type.String({ minLength: 1, maxLength: 64, description: 'the user the token is for' });

export const userTokenBody = requestObject({ user_id: userId() }, { title: 'UserTokenRequest' });
export const mobileTokenBody = requestObject({
  user_id: userId(),
  scopes: Type.Optional(
    Type.Array(oneOfWords(SCOPES, { title: 'DataScope' }), {
      minItems: 1,
      maxItems: SCOPES.length,
      uniqueItems: true,
      description: 'data that the phone may send; default: all',
    }),
  ),
});
export const tokenReply = Type.Object(
  { token: Type.String(), user_id: uuid('user'), expires_at: timestamp() },
  { title: 'Token' },
);
export const jwksReply = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          kty: Type.String(),
          crv: Type.String(),
          x: Type.String(),
          kid: Type.String(),
          alg: Type.String(),
          use: Type.String(),
        },
        { title: 'SigningKey' },
      ),
    ),
  },
  { title: 'SigningKeySet' },
);
