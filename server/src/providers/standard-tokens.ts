// Standard OAuth 2 token requests and responses (RFC 6749, 4.1.3, 5.1, 5.2 and 6; RFC 7636, 4.5).
import type { OAuthRule, ProviderAnswer, ProviderRequest, TokenRefusal, TokenSet } from './contract.ts';
import { asObject, type JsonObject, readText, required } from './read-json.ts';

/** The grant is revoked permanently. We or the provider may fix every other error without the user. */
const DEFINITE = 'invalid_grant';

/** The exchange of a code and the refresh, with nothing but the standard parameters. */
export function standardTokenRequests(path: string): Pick<OAuthRule, 'exchangeRequest' | 'refreshRequest'> {
  return {
    exchangeRequest: ({ code, redirectUri, codeVerifier }) =>
      tokenRequest(path, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        ...(codeVerifier !== null && { code_verifier: codeVerifier }),
      }),
    refreshRequest: (refreshToken) => tokenRequest(path, { grant_type: 'refresh_token', refresh_token: refreshToken }),
  };
}

export function tokenRequest(path: string, form: Readonly<Record<string, string>>): ProviderRequest {
  return { origin: 'token', method: 'POST', path, form, as: 'application' };
}

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
