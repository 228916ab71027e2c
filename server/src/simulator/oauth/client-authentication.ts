// Client authentication, on the token endpoint and on the application's routes.
import type { ProviderClient } from '../../domain/provider-ids.ts';
import { isSameSecret } from '../../platform/crypto/is-same-secret.ts';
import type { RawRequest } from '../../platform/http/raw-route.ts';

export type ClientCredentials = ProviderClient;

export function readBasic({ headers }: Pick<RawRequest, 'headers'>): ClientCredentials | null {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '') ?? [];
  if (encoded === undefined) return null;
  const [clientId = '', clientSecret = ''] = Buffer.from(encoded, 'base64').toString().split(/:(.*)/s, 2);
  return { clientId: decode(clientId), clientSecret: decode(clientSecret) };
}

export function readBodyClient(form: URLSearchParams): ClientCredentials | null {
  const [clientId, clientSecret] = [form.get('client_id'), form.get('client_secret')];
  return clientId === null || clientSecret === null ? null : { clientId, clientSecret };
}

export function isSameClient(expected: ClientCredentials, sent: ClientCredentials | null): boolean {
  if (sent === null) return false;
  return isSameSecret(expected.clientId, sent.clientId) && isSameSecret(expected.clientSecret, sent.clientSecret);
}

/** RFC 6749, 2.3.1: both are form-encoded first. Credentials of clients that omit it need no encoding. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
