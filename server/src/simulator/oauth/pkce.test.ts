// Rules that Oura does not use: PKCE, a grace period for lost responses, scopes required for refreshing.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { RawRequest } from '../../platform/http/raw-route.ts';
import { createAccountStore } from '../account-store.ts';
import { ouraDialect } from '../oura/index.ts';
import { createClaimSigner } from '../signed-claims.ts';
import { answerAuthorize } from './authorize.ts';
import { createGrantStore } from './grant-store.ts';
import type { OAuthDialect } from './oauth-dialect.ts';
import { grantTokens } from './token-endpoint.ts';

const VERIFIER = 'v'.repeat(50);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const client = { clientId: 'id', clientSecret: 'secret' };
const redirectUri = 'https://app.example/cb';

function open(rules: Partial<OAuthDialect>) {
  const dialect = { ...ouraDialect, oauth: { ...ouraDialect.oauth, ...rules } };
  let nowMs = Date.parse('2026-03-01T12:00:00Z');
  const signer = createClaimSigner(Buffer.alloc(32));
  const grants = createGrantStore();
  const now = () => new Date(nowMs);
  const accounts = createAccountStore('UTC');
  const context = { dialect, client, signer, grants, meet: accounts.getOrCreate, isRevoked: () => false, now };
  const ask = (form: Record<string, string>) =>
    grantTokens(context, request(''), () => new URLSearchParams({ client_id: 'id', client_secret: 'secret', ...form }));
  return {
    pass: (ms: number) => {
      nowMs += ms;
    },
    grants,
    consent(query: Record<string, string>) {
      const requested = { response_type: 'code', client_id: 'id', redirect_uri: redirectUri, scope: 'daily', ...query };
      const authorizing = {
        dialect,
        client,
        redirectUris: [redirectUri],
        signer,
        canNameAccount: false,
        url: 'https://app.example/simulator/oura',
        now,
      };
      const { headers } = answerAuthorize(authorizing, {
        ...request('decision=allow'),
        query: new URLSearchParams(requested),
      });
      return new URL(headers?.location ?? '').searchParams;
    },
    exchange: (code: string | null, more: Record<string, string> = {}) =>
      ask({ grant_type: 'authorization_code', code: code ?? '', redirect_uri: redirectUri, ...more }),
    refresh: (token: string) => ask({ grant_type: 'refresh_token', refresh_token: token }),
  };
}

function request(body: string): RawRequest {
  return { method: 'POST', path: '', params: {}, query: new URLSearchParams(), headers: {}, body: Buffer.from(body) };
}

const challenge = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };
const errorOf = (outcome: object) => ('error' in outcome ? outcome.error : null);

describe('proof keys', () => {
  it('are required if the provider requires them', () => {
    const { consent } = open({ pkce: 'required' });
    assert.equal(consent({}).get('error'), 'invalid_request');
    assert.equal(consent({ code_challenge: VERIFIER, code_challenge_method: 'plain' }).get('error'), 'invalid_request');
    assert.ok(consent(challenge).get('code'));
  });

  it('bind the code to the client that requested it', () => {
    for (const [verifier, error] of [
      [{ code_verifier: VERIFIER }, null],
      [{ code_verifier: 'w'.repeat(50) }, 'invalid_grant'],
      [{}, 'invalid_grant'],
    ] as const) {
      const { consent, exchange } = open({ pkce: 'required' });
      assert.equal(errorOf(exchange(consent(challenge).get('code'), verifier)), error);
    }
  });

  it('cannot be omitted in the authorization request and sent with the code', () => {
    const { consent, exchange } = open({ pkce: 'optional' });
    assert.equal(errorOf(exchange(consent({}).get('code'), { code_verifier: VERIFIER })), 'invalid_grant');
    assert.equal(errorOf(exchange(consent({}).get('code'))), null);
  });
});

describe('refreshing', () => {
  const rule = { isRotating: true, seconds: 1_000, graceSeconds: 60 };

  function connect(refresh: OAuthDialect['refresh']) {
    const context = open({ refresh });
    const granted = context.exchange(context.consent({}).get('code'));
    assert.ok('accessToken' in granted);
    return { ...context, token: granted.refreshToken };
  }

  it('requires the scope that the provider defines', () => {
    assert.equal(connect({ ...rule, neededScope: 'offline' }).token, null);
    assert.ok(connect({ ...rule, neededScope: 'daily' }).token);
  });

  it('requires the authorization parameters that the provider defines', () => {
    const { consent, exchange } = open({ refresh: { ...rule, neededParameters: { access_type: 'offline' } } });
    const tokenOf = (query: Record<string, string>) => {
      const granted = exchange(consent(query).get('code'));
      return 'accessToken' in granted && granted.refreshToken;
    };
    assert.equal(tokenOf({}), null);
    assert.equal(tokenOf({ access_type: 'online' }), null);
    assert.ok(tokenOf({ access_type: 'offline' }));
  });

  it('accepts the previous token during the grace period of the provider', () => {
    const { refresh, pass, token } = connect(rule);
    assert.equal(errorOf(refresh(token ?? '')), null);
    assert.equal(errorOf(refresh(token ?? '')), null);
    pass(61_000);
    assert.equal(errorOf(refresh(token ?? '')), 'invalid_grant');
  });

  it('ends when the token expires', () => {
    const { refresh, pass, token } = connect(rule);
    pass(1_000_000);
    assert.equal(errorOf(refresh(token ?? '')), 'invalid_grant');
  });

  it('ends the grace period once the new pair is used, and the old access token if the provider does', () => {
    const { grants } = open({});
    const strict = { ...rule, endsAccess: true as const };
    const now = new Date();
    assert.equal(grants.refresh('one', 0, strict, now), 1);
    assert.equal(grants.useAccess('one', 0, strict), false);
    assert.equal(grants.useAccess('one', 0, rule), true);
    assert.equal(grants.useAccess('one', 1, strict), true);
    assert.equal(grants.refresh('one', 0, strict, now), null);
  });

  it('does not rotate if the provider does not', () => {
    const { refresh, token } = connect({ ...rule, isRotating: false });
    for (let attempt = 0; attempt < 3; attempt++) {
      const again = refresh(token ?? '');
      assert.ok('accessToken' in again && again.refreshToken === null);
    }
  });
});
