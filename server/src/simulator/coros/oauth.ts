// COROS' OAuth 2. A token lasts 30 days, and a refresh extends it without issuing another.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { SimulatedAccount } from '../account-store.ts';
import type { Call, PersonCall, SimulatedRoute } from '../dialect.ts';
import { nameHex } from '../names.ts';
import { isSameClient, readBodyClient } from '../oauth/client-authentication.ts';
import type { OAuthDialect } from '../oauth/oauth-dialect.ts';
import { replyJson } from '../reply-json.ts';
import { replyData, replyResult } from './envelope.ts';

const TOKEN_SECONDS = 30 * 86_400;
/** The simulator's tokens cannot be extended, so they last long, and `hasEnded` says when COROS' would. */
const SIGNED_SECONDS = 3_650 * 86_400;

export const corosOAuth: OAuthDialect = {
  authorizePath: '/oauth2/authorize',
  tokenPath: '/oauth2/accesstoken',
  scopes: ['all'],
  scopeSeparator: ' ',
  impliedScopes: ['all'],
  accessSeconds: SIGNED_SECONDS,
  clientAuthentication: ['body'],
  refresh: { isRotating: false },
  presentTokens({ account, accessToken, refreshToken }, context) {
    extend(account.seed, context);
    const tokens = { access_token: accessToken, refresh_token: refreshToken };
    return replyJson(200, { ...tokens, expires_in: TOKEN_SECONDS, openId: openIdOf(account) });
  },
  presentError: ({ error }) => replyResult(error === 'invalid_client' ? '1001' : '5003', error),
};

export const linkRoutes: readonly SimulatedRoute[] = [
  { method: 'POST', path: '/oauth2/refresh-token', access: 'anyone', answer: answerRefresh },
  {
    method: 'POST',
    path: '/oauth2/deauthorize',
    access: 'person',
    scope: null,
    answer({ revoke }) {
      revoke();
      return replyResult('0000', 'OK');
    },
  },
  { method: 'GET', path: '/coros/bindState', access: 'anyone', answer: answerLinkState },
];

function answerRefresh({ form, context }: Call): RawReply {
  if (!isSameClient(context.client, readBodyClient(form))) return replyResult('1001', 'client is invalid');
  const claims = context.readRefresh(form.get('refresh_token') ?? '');
  if (claims === null) return replyResult('5006', 'token is invalid');
  extend(claims.seed, context);
  return replyResult('0000', 'OK');
}

/** Whether the token is linked, expired or not. */
function answerLinkState({ query, context }: Call): RawReply {
  return replyData({ bindState: context.readAccess(query.get('token') ?? '') === null ? 0 : 1 });
}

export function openIdOf({ seed }: Pick<SimulatedAccount, 'seed'>): string {
  return nameHex(32, 'coros', seed);
}

function extend(seed: string, { facts, now }: Pick<Call['context'], 'facts' | 'now'>): void {
  facts.set(`until/${seed}`, String(now().getTime() + TOKEN_SECONDS * 1_000));
}

export function hasEnded({ view, context }: PersonCall): boolean {
  return Number(context.facts.get(`until/${view.account.seed}`) ?? Number.POSITIVE_INFINITY) <= view.nowMs;
}
