// Reads standard OAuth 2 token responses (RFC 6749, 5.1 and 5.2).
import type { ProviderAnswer, TokenRefusal, TokenSet } from './contract.ts';
import { asObject, type JsonObject, readText, required } from './read-json.ts';

/** The grant is revoked for good. We or the provider may fix every other error without the user. */
const DEFINITE = 'invalid_grant';

export function readStandardTokens(answer: ProviderAnswer): TokenSet | TokenRefusal {
  if (answer.status < 200 || answer.status > 299) return readRefusal(answer);
  const body = asObject(answer.body);
  return {
    accessToken: required(readText(body, 'access_token'), 'access_token'),
    refreshToken: readText(body, 'refresh_token'),
    expiresInSeconds: readLifetime(body),
    providerUserId: null,
    scopes: splitScopes(readText(body, 'scope')),
  };
}

/** Null: not known. A lifetime that cannot be read must not cost the tokens, which the provider issues only once. */
export function readLifetime({ expires_in: seconds }: JsonObject): number | null {
  const isText = typeof seconds === 'string' && /^\d+$/.test(seconds);
  const number = isText ? Number(seconds) : seconds;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

export function splitScopes(text: string | null): string[] | null {
  return text === null ? null : text.split(/[ ,]+/).filter((scope) => scope !== '');
}

function readRefusal({ status, body }: ProviderAnswer): TokenRefusal {
  const error = typeof body === 'object' && body !== null ? (body as { error?: unknown }).error : null;
  const refused = typeof error === 'string' ? error : `status ${status}`;
  return { refused, isDefinite: status >= 400 && status < 500 && error === DEFINITE };
}
