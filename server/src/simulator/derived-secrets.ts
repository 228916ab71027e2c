// Values derived from the simulator's key, in a file of their own so that client credentials can be derived without
// loading the simulator.
import { createHmac } from 'node:crypto';
import type { ClientCredentials } from './oauth/client-authentication.ts';

export function deriveSecret(key: Buffer, name: string): Buffer {
  return createHmac('sha256', key).update(`derived/${name}`).digest();
}

/** The client credentials that a provider's simulator accepts. */
export function clientOf(key: Buffer, provider: string): ClientCredentials {
  const clientSecret = deriveSecret(key, `${provider}/client`).toString('base64url');
  return { clientId: `simulator-${provider}`, clientSecret };
}
