// The authorize endpoint: GET shows the consent page, POST to the same URL submits the decision.
import { randomBytes } from 'node:crypto';
import type { RawReply, RawRequest } from '../../platform/http/raw-route.ts';
import type { ProviderDialect } from '../dialect.ts';
import type { ClaimSigner, Claims } from '../signed-claims.ts';
import { authorizePage, untrustedPage } from './authorize-page.ts';
import { readVisit, writeVisit } from './browser-visit.ts';
import { type Authorization, checkAuthorization, type RedirectUris } from './check-authorization.ts';
import type { ClientCredentials } from './client-authentication.ts';

const CODE_SECONDS = 600;

type AuthorizeContext = {
  readonly dialect: ProviderDialect;
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
  const hint = readHint(context, request);
  if (request.method === 'GET')
    return authorizePage(dialect, authorization, {
      canNameAccount: context.canNameAccount,
      isBack: lastTime !== null && hint === null,
      isUser: hint !== null,
    });
  const form = new URLSearchParams(request.body.toString());
  const decision = form.get('decision');
  if (decision === 'allow') return allow(context, authorization, form, hint ?? newAccount(context, form));
  if (decision === 'other') return allow(context, authorization, form, newAccount(context, form));
  if (decision === 'again' && lastTime !== null) return allow(context, authorization, form, lastTime);
  const { redirectUri, state } = authorization;
  return goBack(redirectUri, { error: 'access_denied', error_description: 'The user denied the request', state });
}

type WhoseAccount = Pick<Claims, 'seed' | 'person'>;

function newAccount({ canNameAccount }: AuthorizeContext, form: URLSearchParams): WhoseAccount {
  const named = canNameAccount ? (form.get('account') ?? '') : '';
  return { seed: named === '' ? randomBytes(16).toString('hex') : named };
}

/** The sandbox user who connects, so that the account shows the same days as the user's other devices. */
function readHint({ dialect, signer, now }: AuthorizeContext, { query }: RawRequest): WhoseAccount | null {
  const claims = signer.open(query.get('login_hint') ?? '', { use: 'hint', provider: dialect.id }, now());
  return claims && { seed: claims.seed, ...(claims.person && { person: claims.person }) };
}

function allow(
  context: AuthorizeContext,
  authorization: Authorization,
  form: URLSearchParams,
  whose: WhoseAccount,
): RawReply {
  const { oauth, id } = context.dialect;
  const { scopes: requested } = authorization;
  const scopes = oauth.canRefuseScopes ? listShared(requested, form) : requested;
  const now = context.now().getTime();
  const claims: Claims = {
    use: 'code',
    provider: id,
    ...whose,
    sinceMs: now,
    grant: randomBytes(16).toString('hex'),
    client: context.client.clientId,
    scopes,
    generation: 0,
    endsMs: now + (oauth.codeSeconds ?? CODE_SECONDS) * 1_000,
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

/** The ticked scopes. A program that neither saw the boxes nor names scopes grants everything. */
function listShared(requested: readonly string[], form: URLSearchParams): string[] {
  const named = form.getAll('scope');
  if (named.length === 0 && !form.has('has_choice')) return [...requested];
  return requested.filter((scope) => named.includes(scope));
}

function goBack(redirectUri: string, parameters: Readonly<Record<string, string | null>>): RawReply {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value);
  return {
    status: 303,
    headers: { location: url.href, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  };
}
