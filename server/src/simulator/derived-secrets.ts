// What hangs on the simulator's key. Apart from the rest, so that a client can be known without the simulator being loaded.
import { createHmac } from 'node:crypto';
import type { ClientCredentials } from './oauth/client-authentication.ts';

export function deriveSecret(key: Buffer, name: string): Buffer {
  return createHmac('sha256', key).update(`derived/${name}`).digest();
}

/** What a provider's simulator accepts as the application's. */
export function clientOf(key: Buffer, provider: string): ClientCredentials {
  const clientSecret = deriveSecret(key, `${provider}/client`).toString('base64url');
  return { clientId: `simulator-${provider}`, clientSecret };
}
