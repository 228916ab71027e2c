// The token endpoint: exchanges a code or a refresh token for tokens.
import { createHash } from 'node:crypto';
import type { RawRequest } from '../../platform/http/raw-route.ts';
import type { SimulatedAccount } from '../account-store.ts';
import type { ProviderDialect } from '../dialect.ts';
import type { ClaimSigner, Claims } from '../signed-claims.ts';
import { type ClientCredentials, isSameClient, readBasic, readBodyClient } from './client-authentication.ts';
import type { GrantStore } from './grant-store.ts';
import type { OAuthError, TokenGrant } from './oauth-dialect.ts';

type TokenContext = {
  readonly dialect: ProviderDialect;
  readonly client: ClientCredentials;
  readonly signer: ClaimSigner;
  readonly grants: GrantStore;
  meet(claims: Claims): SimulatedAccount;
  /** By a fault, or by the user at the provider. */
  isRevoked(claims: Claims): boolean;
  now(): Date;
};

/** The body is read only if it may contain the client credentials, or once the client is authenticated. */
export function grantTokens(
  context: TokenContext,
  request: RawRequest,
  readForm: () => URLSearchParams,
): TokenGrant | OAuthError {
  if (!isClientKnown(context, request, readForm))
    return { status: 401, error: 'invalid_client', description: 'client authentication failed' };
  const form = readForm();
  const repeated = [...new Set(form.keys())].find((name) => form.getAll(name).length > 1);
  if (repeated !== undefined) return refuse('invalid_request', `${repeated} must not be repeated`);
  const type = form.get('grant_type');
  if (type === 'authorization_code') return exchangeCode(context, form);
  if (type === 'refresh_token' && context.dialect.oauth.refresh !== null) return refreshTokens(context, form);
  return refuse('unsupported_grant_type', 'grant_type is missing or not supported');
}

function isClientKnown(
  { dialect, client }: TokenContext,
  request: RawRequest,
  readForm: () => URLSearchParams,
): boolean {
  const ways = dialect.oauth.clientAuthentication;
  if (ways.includes('basic') && isSameClient(client, readBasic(request))) return true;
  return ways.includes('body') && isSameClient(client, readBodyClient(readForm()));
}

function exchangeCode(context: TokenContext, form: URLSearchParams): TokenGrant | OAuthError {
  const { dialect, signer, grants, client } = context;
  const code = form.get('code');
  if (code === null) return refuse('invalid_request', 'code is missing');
  const claims = signer.open(code, { use: 'code', provider: dialect.id }, context.now());
  if (claims === null || claims.client !== client.clientId)
    return refuse('invalid_grant', 'the code is invalid or expired');
  // RFC 6749, 4.1.2: either use may be that of an attacker.
  if (!grants.useCode(claims.grant)) return refuse('invalid_grant', 'the code was used before');
  if (form.get('redirect_uri') !== claims.redirectUri) return refuse('invalid_grant', 'redirect_uri does not match');
  if (!isVerified(claims, form.get('code_verifier'), dialect)) return refuse('invalid_grant', 'code_verifier is wrong');
  return issue(context, claims, 0);
}

/** A verifier without a challenge is a PKCE downgrade attempt (RFC 9700, 4.8.2). */
function isVerified({ challenge = null }: Claims, verifier: string | null, { oauth }: ProviderDialect): boolean {
  if (oauth.pkce === undefined) return true;
  if (challenge === null || verifier === null) return challenge === null && verifier === null;
  return createHash('sha256').update(verifier).digest('base64url') === challenge;
}

function refreshTokens(context: TokenContext, form: URLSearchParams): TokenGrant | OAuthError {
  const { dialect, signer, grants, client } = context;
  const rule = dialect.oauth.refresh;
  const token = form.get('refresh_token');
  if (token === null) return refuse('invalid_request', 'refresh_token is missing');
  const claims = signer.open(token, { use: 'refresh', provider: dialect.id }, context.now());
  if (claims === null || rule === null || claims.client !== client.clientId || context.isRevoked(claims))
    return refuse('invalid_grant', 'the refresh token is invalid or expired');
  const generation = grants.refresh(claims.grant, claims.generation, rule, context.now());
  if (generation === null) return refuse('invalid_grant', 'the refresh token was used before');
  const granted = issue(context, claims, generation);
  return rule.isRotating ? granted : { ...granted, refreshToken: null, refreshExpiresInSeconds: null };
}

function issue(context: TokenContext, from: Claims, generation: number): TokenGrant {
  const { oauth } = context.dialect;
  const now = context.now().getTime();
  const { redirectUri: _uri, challenge: _challenge, ...kept } = from;
  const sign = (use: 'access' | 'refresh', seconds?: number) =>
    context.signer.sign({ ...kept, use, generation, endsMs: seconds === undefined ? null : now + seconds * 1_000 });
  const { refresh } = oauth;
  const canRefresh =
    refresh !== null &&
    from.canRefresh !== false &&
    (refresh.neededScope === undefined || from.scopes.includes(refresh.neededScope));
  return {
    account: context.meet(from),
    accessToken: sign('access', oauth.accessSeconds),
    expiresInSeconds: oauth.accessSeconds,
    refreshToken: canRefresh ? sign('refresh', refresh.seconds) : null,
    refreshExpiresInSeconds: canRefresh ? (refresh.seconds ?? null) : null,
    scopes: from.scopes,
    isRefresh: from.use === 'refresh',
  };
}

function refuse(error: OAuthError['error'], description: string): OAuthError {
  return { status: 400, error, description };
}
