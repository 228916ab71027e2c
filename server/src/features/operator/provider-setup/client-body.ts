// The credentials of an OAuth client in requests of operators and members.
import { extraCredentialsOf } from '../../../domain/provider-ids.ts';
import { AppError } from '../../../platform/errors.ts';
import { matching } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { ClientCredentials } from '../../../providers/contract.ts';

const SECRET = matching('^[\\x21-\\x7e]+$', 'must consist of ASCII characters without spaces');
const secretField = () => Type.String({ minLength: 1, maxLength: 500, ...SECRET });

export const clientFields = () => ({
  client_id: secretField(),
  client_secret: secretField(),
  extra_credentials: Type.Optional(
    Type.Dictionary(secretField(), {
      maxProperties: 5,
      description: 'what the provider issues besides, by name; GET lists the names of each provider',
    }),
  ),
});

type ClientBody = {
  readonly client_id: string;
  readonly client_secret: string;
  readonly extra_credentials?: Readonly<Record<string, string>>;
};

/** Throws invalid_body unless the extra credentials are exactly those of the provider. */
export function readClientBody(provider: string, body: ClientBody): ClientCredentials {
  const wanted = extraCredentialsOf(provider);
  const extras = body.extra_credentials ?? {};
  const issues = [
    ...wanted.filter((name) => extras[name] === undefined).map((name) => ({ name, message: 'is required' })),
    ...Object.keys(extras)
      .filter((name) => !wanted.includes(name))
      .map((name) => ({ name, message: 'is not a credential of this provider' })),
  ].map(({ name, message }) => ({ path: `extra_credentials.${name}`, message }));
  if (issues.length > 0) throw new AppError('invalid_body', { details: { issues } });
  const client = { clientId: body.client_id, clientSecret: body.client_secret };
  return wanted.length === 0 ? client : { ...client, extras };
}
