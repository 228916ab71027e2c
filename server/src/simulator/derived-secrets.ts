// Values derived from the simulator's key, in a file of their own so that client credentials can be derived without
// loading the simulator.
import { createHmac } from 'node:crypto';
import { extraCredentialsOf } from '../domain/provider-ids.ts';
import type { ClientCredentials } from './oauth/client-authentication.ts';

export function deriveSecret(key: Buffer, name: string): Buffer {
  return createHmac('sha256', key).update(`derived/${name}`).digest();
}

/** The client credentials that a provider's simulator accepts. */
export function clientOf(key: Buffer, provider: string): ClientCredentials {
  const secretOf = (name: string) => deriveSecret(key, `${provider}/${name}`).toString('base64url');
  const client = { clientId: `simulator-${provider}`, clientSecret: secretOf('client') };
  const extras = extraCredentialsOf(provider).map((name) => [name, secretOf(name)]);
  return extras.length === 0 ? client : { ...client, extras: Object.fromEntries(extras) };
}
