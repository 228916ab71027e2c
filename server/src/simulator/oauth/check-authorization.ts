// Validates an authorization request (RFC 6749). If the client or the redirect URI is unknown, the error is shown to
// the user and never redirected.
import { hasFields } from '../find-route.ts';
import type { ClientCredentials } from './client-authentication.ts';
import type { OAuthDialect } from './oauth-dialect.ts';

export type RedirectUris = readonly string[] | 'loopback';

export type Authorization = {
  readonly redirectUri: string;
  readonly state: string | null;
  readonly scopes: readonly string[];
  readonly challenge: string | null;
  readonly canRefresh: boolean;
};

type AuthorizationCheck =
  | { readonly kind: 'good'; readonly authorization: Authorization }
  /** Shown to the user: the client or the redirect URI is unknown. */
  | { readonly kind: 'untrusted'; readonly reason: string }
  /** Redirected back to the client. */
  | {
      readonly kind: 'refused';
      readonly redirectUri: string;
      readonly state: string | null;
      readonly error: string;
      readonly description: string;
    };

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/; // base64url of a SHA-256
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?\//;

export function checkAuthorization(
  rule: OAuthDialect,
  { clientId }: ClientCredentials,
  redirectUris: RedirectUris,
  query: URLSearchParams,
): AuthorizationCheck {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('client_id') !== clientId) return { kind: 'untrusted', reason: 'Unknown client_id.' };
  if (!isRegistered(redirectUris, redirectUri))
    return { kind: 'untrusted', reason: 'This redirect_uri is not registered for the application.' };
  const state = query.get('state');
  const refused = (error: string, description: string): AuthorizationCheck => {
    return { kind: 'refused', redirectUri, state, error, description };
  };
  const repeated = [...new Set(query.keys())].find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) return refused('invalid_request', `${repeated} must not be repeated`);
  if (query.get('response_type') !== 'code') return refused('unsupported_response_type', 'response_type must be code');
  const { minStateCharacters = 0 } = rule;
  if ((state ?? '').length < minStateCharacters)
    return refused('invalid_state', `state must have at least ${minStateCharacters} characters`);
  const requested = (query.get('scope') ?? '').split(rule.scopeSeparator).filter((scope) => scope !== '');
  const scopes = requested.length > 0 ? [...new Set(requested)] : (rule.impliedScopes ?? []);
  if (scopes.length === 0 || scopes.some((scope) => !rule.scopes.includes(scope)))
    return refused('invalid_scope', 'scope is missing or unknown');
  const challenge = rule.pkce === undefined ? null : query.get('code_challenge');
  if (rule.pkce === 'required' && challenge === null) return refused('invalid_request', 'code_challenge is required');
  if (challenge !== null && (query.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge)))
    return refused('invalid_request', 'code_challenge must use S256');
  const canRefresh = hasFields(rule.refresh?.neededParameters, query);
  return { kind: 'good', authorization: { redirectUri, state, scopes, challenge, canRefresh } };
}

/** Compared as exact strings, because looser matching allows open redirects. */
function isRegistered(registered: RedirectUris, uri: string): boolean {
  return registered === 'loopback' ? LOOPBACK.test(uri) : registered.includes(uri);
}
