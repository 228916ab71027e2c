// The authorize endpoint: GET shows the consent page, POST to the same URL submits the decision.
import { randomBytes } from 'node:crypto';
import type { RawReply, RawRequest } from '../../platform/http/raw-route.ts';
import type { Dialect } from '../dialect.ts';
import type { ClaimSigner, Claims } from '../signed-claims.ts';
import { authorizePage, untrustedPage } from './authorize-page.ts';
import { readVisit, writeVisit } from './browser-visit.ts';
import { type Authorization, checkAuthorization, type RedirectUris } from './check-authorization.ts';
import type { ClientCredentials } from './client-authentication.ts';

type AuthorizeContext = {
  readonly dialect: Dialect;
  readonly client: ClientCredentials;
  readonly redirectUris: RedirectUris;
  readonly signer: ClaimSigner;
  /** The provider's base URL for browsers. */
  readonly url: string;
  /** If false, every consent creates a new user. */
  readonly canNameAccount: boolean;
  now(): Date;
};

export function answerAuthorize(context: AuthorizeContext, request: RawRequest): RawReply {
  const { dialect, client, redirectUris } = context;
  if (request.method !== 'GET' && request.method !== 'POST') return { status: 405, headers: { allow: 'GET, POST' } };
  const check = checkAuthorization(dialect.oauth, client, redirectUris, request.query);
  if (check.kind === 'untrusted') return untrustedPage(dialect, check.reason);
  if (check.kind === 'refused') {
    const { redirectUri, state, error, description } = check;
    return goBack(redirectUri, { error, error_description: description, state });
  }
  const { authorization } = check;
  const lastTime = readVisit(context, request);
  if (request.method === 'GET')
    return authorizePage(dialect, authorization, { canNameAccount: context.canNameAccount, isBack: lastTime !== null });
  const form = new URLSearchParams(request.body.toString());
  const decision = form.get('decision');
  if (decision === 'allow') return allow(context, authorization, form, newAccount(context, form));
  if (decision === 'again' && lastTime !== null) return allow(context, authorization, form, lastTime);
  const { redirectUri, state } = authorization;
  return goBack(redirectUri, { error: 'access_denied', error_description: 'The user denied the request', state });
}

function newAccount({ canNameAccount }: AuthorizeContext, form: URLSearchParams): string {
  const named = canNameAccount ? (form.get('account') ?? '') : '';
  return named === '' ? randomBytes(16).toString('hex') : named;
}

function allow(context: AuthorizeContext, authorization: Authorization, form: URLSearchParams, seed: string): RawReply {
  const { oauth, id } = context.dialect;
  const { scopes: requested } = authorization;
  const scopes = oauth.canRefuseScopes ? listShared(requested, form) : requested;
  const now = context.now().getTime();
  const claims: Claims = {
    use: 'code',
    provider: id,
    seed,
    sinceMs: now,
    grant: randomBytes(16).toString('hex'),
    client: context.client.clientId,
    scopes,
    generation: 0,
    endsMs: now + oauth.codeSeconds * 1_000,
    redirectUri: authorization.redirectUri,
    challenge: authorization.challenge,
    canRefresh: authorization.canRefresh,
  };
  const scope = oauth.isScopeOnRedirect ? scopes.join(oauth.scopeSeparator) : null;
  const back = goBack(authorization.redirectUri, {
    code: context.signer.sign(claims),
    scope,
    state: authorization.state,
  });
  return { ...back, headers: { ...back.headers, 'set-cookie': writeVisit(context, claims) } };
}

/** All scopes except those ticked on the page. A program may list the granted scopes instead. */
function listShared(requested: readonly string[], form: URLSearchParams): string[] {
  const [named, withheld] = [form.getAll('scope'), form.getAll('withheld')];
  return requested.filter((scope) => (named.length === 0 || named.includes(scope)) && !withheld.includes(scope));
}

function goBack(redirectUri: string, parameters: Readonly<Record<string, string | null>>): RawReply {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value);
  return {
    status: 303,
    headers: { location: url.href, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  };
}
