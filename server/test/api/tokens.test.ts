// Tests user tokens and mobile tokens. No call here accepts a user token: 403 means it is valid, 401 that it is not.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import * as jose from 'jose';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import type { Answer } from '../support/test-api.ts';
import { createMovableClock } from '../support/test-clock.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount, createUser } from '../support/test-users.ts';

const clock = createMovableClock();
const service = await startTestService({ clock });
after(() => service.stop());
const api = service.api();
const { services } = service.running;
const SCOPES = ['activity', 'body_composition', 'energy', 'nutrition', 'sleep', 'vitals'];

async function issueToken(kind = 'user-token'): Promise<{ token: string; userId: string; answer: Answer }> {
  const { id } = await createUser(api);
  const answer = await api.post(`/v1/auth/${kind}`, { user_id: id });
  assert.equal(answer.status, 200, answer.text);
  return { token: answer.body.token, userId: id, answer };
}

async function assertRefused(token: string, status: number, code: string): Promise<void> {
  const answer = await service.api(token).get('/v1/users');
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.body.error, code);
}
const assertKnown = (token: string) => assertRefused(token, 403, 'insufficient_scope');
const assertUnknown = (token: string) => assertRefused(token, 401, 'invalid_token');

async function readJwks(): Promise<jose.JSONWebKeySet> {
  return (await service.api(null).get('/.well-known/jwks.json')).body;
}

describe('POST /v1/auth/user-token and /refresh', () => {
  for (const path of ['/v1/auth/user-token', '/v1/auth/user-token/refresh']) {
    it(`200 ${path}: a JWT that the published keys verify`, async () => {
      const { id } = await createUser(api);
      const answer = await api.post(path, { user_id: id.toUpperCase() });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(Object.keys(answer.body), ['token', 'user_id', 'expires_at']);
      assert.equal(answer.body.user_id, id);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const [deployment] = await services.db.query<{ id: string }>('select id from deployment');
      const { payload, protectedHeader } = await jose.jwtVerify(
        answer.body.token,
        jose.createLocalJWKSet(await readJwks()),
        {
          audience: `urn:tributary:${deployment?.id}`,
          subject: id,
          algorithms: ['EdDSA'],
        },
      );
      assert.equal(protectedHeader.alg, 'EdDSA');
      assert.match(protectedHeader.kid ?? '', /^\S+$/);
      assert.equal((payload.exp ?? 0) - (payload.iat ?? 0), 3600);
      assert.equal(Date.parse(answer.body.expires_at), (payload.exp ?? 0) * 1000);
      assert.ok(Math.abs((payload.exp ?? 0) * 1000 - clock.now().getTime() - HOUR_MS) < 30 * SECOND_MS);
      await assertKnown(answer.body.token);
    });

    it(`400 ${path}: a missing, foreign or unknown field`, async () => {
      for (const body of [{}, { user_id: 5 }, { user_id: '' }, { user_id: ABSENT_ID, scopes: ['sleep'] }, undefined]) {
        const answer = await api.post(path, body);
        assert.equal(answer.status, 400, JSON.stringify(body));
        assert.equal(answer.body.error, 'invalid_body');
      }
    });

    it(`404 ${path}: absent, an invalid UUID, of another account or environment; the message names the id`, async () => {
      const foreign = await createUser(service.api((await createAccount(service)).live));
      const other = await createUser(service.api(service.keys.sandbox));
      for (const user_id of [ABSENT_ID, 'nobody', foreign.id, other.id]) {
        const answer = await api.post(path, { user_id });
        assert.equal(answer.status, 404);
        const more = ': it is a sandbox user and this is a live key. Use a sandbox key (sk_sandbox_…).';
        assert.equal(answer.body.message, `User ${user_id} was not found${user_id === other.id ? more : '.'}`);
      }
    });

    it(`403 insufficient_scope ${path}: a user token cannot issue a token`, async () => {
      const { token, userId } = await issueToken();
      const answer = await service.api(token).post(path, { user_id: userId });
      assert.equal(answer.status, 403);
      assert.deepEqual([answer.body.error, answer.body.message], ['insufficient_scope', 'This call needs an API key.']);
    });
  }

  it('200 refresh returns another token and keeps the earlier one valid', async () => {
    const { token, userId } = await issueToken();
    const { body } = await api.post('/v1/auth/user-token/refresh', { user_id: userId });
    assert.notEqual(body.token, token);
    await assertKnown(token);
    await assertKnown(body.token);
  });
});

describe('POST /v1/auth/mobile-token', () => {
  it('200 valid for five minutes, prefixed, with all scopes by default, stored only as its hash', async () => {
    const { token, userId, answer } = await issueToken('mobile-token');
    assert.match(token, /^mt_[0-9A-Za-z]{49}$/);
    assert.equal(answer.body.user_id, userId);
    assert.ok(Math.abs(Date.parse(answer.body.expires_at) - clock.now().getTime() - 5 * MINUTE_MS) < 30 * SECOND_MS);
    const rows = await services.db.query<{ secret_hash: Buffer; scopes: string[] }>(
      'select secret_hash, scopes from mobile_tokens where user_id = $1',
      [userId],
    );
    assert.deepEqual(
      rows.map((row) => row.scopes.toSorted()),
      [SCOPES],
    );
    assert.deepEqual(rows[0]?.secret_hash, createHash('sha256').update(token).digest());
  });

  it('200 with requested scopes', async () => {
    const { id } = await createUser(api);
    const answer = await api.post('/v1/auth/mobile-token', { user_id: id, scopes: ['vitals', 'activity'] });
    assert.equal(answer.status, 200);
    const [row] = await services.db.query<{ scopes: string[] }>('select scopes from mobile_tokens where user_id = $1', [
      id,
    ]);
    assert.deepEqual(row?.scopes.toSorted(), ['activity', 'vitals']);
  });

  it('400 for scopes that are empty, unknown, repeated or not a list', async () => {
    const { id } = await createUser(api);
    for (const scopes of [[], ['scores'], ['sleep', 'sleep'], 'sleep', null]) {
      const answer = await api.post('/v1/auth/mobile-token', { user_id: id, scopes });
      assert.equal(answer.status, 400, JSON.stringify(scopes));
      assert.equal(answer.body.error, 'invalid_body');
    }
  });

  it('403 on REST while it is valid, 401 token_expired after, 401 invalid_token when consumed or damaged', async () => {
    const { token, userId } = await issueToken('mobile-token');
    await assertKnown(token);
    await assertUnknown(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`);
    const spent = await issueToken('mobile-token');
    await services.db.query('update mobile_tokens set consumed_at = now() where user_id = $1', [spent.userId]);
    await assertUnknown(spent.token);
    clock.advance(5 * MINUTE_MS + SECOND_MS);
    await assertRefused(token, 401, 'token_expired');
    assert.equal((await api.delete(`/v1/users/${userId}`)).status, 202);
    await assertUnknown(token);
  });
});

describe('expiry of a user token', () => {
  it('401 token_expired after exactly an hour, even if it was used meanwhile', async () => {
    const { token } = await issueToken();
    const unused = (await issueToken()).token;
    clock.advance(HOUR_MS - 30 * SECOND_MS);
    await assertKnown(token);
    clock.advance(31 * SECOND_MS);
    await assertRefused(token, 401, 'token_expired');
    await assertRefused(unused, 401, 'token_expired');
  });

  it('401 invalid_token as soon as its user is deleted', async () => {
    const { token, userId } = await issueToken();
    await assertKnown(token);
    assert.equal((await api.delete(`/v1/users/${userId}`)).status, 202);
    await assertUnknown(token);
  });
});

describe('forged user tokens: 401 invalid_token', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const decode = (token: string) => ({ header: jose.decodeProtectedHeader(token), payload: jose.decodeJwt(token) });

  /** The service's own key, which an attacker would need both database and master key to get: for tokens with one defect. */
  async function stealKey(kid: string | undefined): Promise<CryptoKey> {
    const [row] = await services.db.query<{ id: string; sealed_private_jwk: Buffer }>(
      'select id, sealed_private_jwk from signing_keys where id = $1',
      [kid],
    );
    assert.ok(row);
    const jwk = JSON.parse(services.secrets.open(row.sealed_private_jwk, `signing_keys/${row.id}`)) as jose.JWK;
    return (await jose.importJWK(jwk, 'EdDSA')) as CryptoKey;
  }

  it('401 alg none', async () => {
    const { header, payload } = decode((await issueToken()).token);
    for (const alg of ['none', 'None', 'NONE']) {
      await assertUnknown(`${part({ ...header, alg })}.${part(payload)}.`);
      await assertUnknown(`${part({ ...header, alg })}.${part(payload)}`);
    }
  });

  it('401 HS256 with the public key as the secret', async () => {
    const { header, payload } = decode((await issueToken()).token);
    const jwk = (await readJwks()).keys.find((key) => key.kid === header.kid);
    const pem = await jose.exportSPKI((await jose.importJWK({ ...jwk, ext: true }, 'EdDSA')) as CryptoKey);
    for (const secret of [
      Buffer.from(jwk?.x ?? '', 'base64url'),
      Buffer.from(jwk?.x ?? ''),
      Buffer.from(pem),
      Buffer.from(JSON.stringify(jwk)),
    ])
      await assertUnknown(await new jose.SignJWT(payload).setProtectedHeader({ ...header, alg: 'HS256' }).sign(secret));
  });

  it('401 another key, whichever kid, jwk, jku or x5u names it', async () => {
    const { header, payload } = decode((await issueToken()).token);
    const pair = await jose.generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    const jwk = { ...(await jose.exportJWK(pair.publicKey)), kid: 'mine' };
    const sign = (extra: object) =>
      new jose.SignJWT(payload)
        .setProtectedHeader({ alg: 'EdDSA', typ: header.typ ?? '', ...extra })
        .sign(pair.privateKey);
    for (const extra of [
      { kid: header.kid },
      { kid: 'mine' },
      {},
      { kid: header.kid, jwk },
      { kid: 'mine', jwk },
      { kid: 'mine', jku: `${service.url}/keys.json` },
      { kid: 'mine', x5u: `${service.url}/keys.pem` },
      { kid: '../../etc/passwd' },
      { kid: "' or 1=1 --" },
      { kid: header.kid, crit: ['exp'], exp: 1 },
    ])
      await assertUnknown(await sign(extra).catch(() => 'x.y.z'));
  });

  it('401 tampered, truncated, extended, re-encoded', async () => {
    const { token } = await issueToken();
    const { header, payload } = decode(token);
    const [head = '', body = '', signature = ''] = token.split('.');
    for (const forged of [
      `${head}.${part({ ...payload, sub: ABSENT_ID })}.${signature}`,
      `${head}.${part({ ...payload, exp: (payload.exp ?? 0) + 3600 })}.${signature}`,
      `${part({ ...header, x: 1 })}.${body}.${signature}`,
      `${head}.${body}`,
      `${head}.${body}.`,
      `${head}.${body}.${signature.slice(0, -4)}`,
      `${head}.${body}.${signature}AAAA`,
      `${head}.${body}.${signature}.${signature}`,
      token.slice(1),
      'a.b.c',
      '..',
      'eyJhbGciOiJFZERTQSJ9',
    ])
      await assertUnknown(forged);
    await assertKnown(token);
  });

  it('401 the right key but another audience, issuer, type, or a missing claim', async () => {
    const { header, payload } = decode((await issueToken()).token);
    const key = await stealKey(header.kid);
    const sign = (claims: object, typ = header.typ ?? '') =>
      new jose.SignJWT(claims as jose.JWTPayload)
        .setProtectedHeader({ alg: 'EdDSA', kid: header.kid ?? '', typ })
        .sign(key);
    await assertKnown(await sign(payload)); // proves that signing works: what follows fails for the named reason only
    for (const claims of [
      { ...payload, aud: 'urn:tributary:another' },
      { ...payload, iss: 'urn:tributary:another' },
      ...['aud', 'iss', 'sub', 'jti', 'exp', 'account', 'environment'].map((name) =>
        Object.fromEntries(Object.entries(payload).filter(([claim]) => claim !== name)),
      ),
      { ...payload, environment: 'sandbox' },
      { ...payload, account: ABSENT_ID },
      { ...payload, sub: ABSENT_ID },
      { ...payload, nbf: (payload.exp ?? 0) - 60 },
    ])
      await assertUnknown(await sign(claims));
    for (const typ of ['JWT', 'at+jwt', '']) await assertUnknown(await sign(payload, typ));
  });
});

describe('rotation of signing keys', () => {
  it('200 a new key is published before it signs, the old one verifies until its last token has expired', async () => {
    const kidOf = (token: string) => jose.decodeProtectedHeader(token).kid;
    const publishedKids = async () => (await readJwks()).keys.map((key) => key.kid);
    const old = kidOf((await issueToken()).token);
    await services.signer.rotate();
    assert.deepEqual(await publishedKids(), [old], 'a young key stays alone');

    clock.advance(31 * DAY_MS);
    const live = (await service.operator().post('/admin/keys', { account: 'default', environment: 'live' })).body.key;
    const own = service.api(live);
    await services.signer.rotate();
    const [, next, ...others] = await publishedKids();
    assert.ok(next);
    assert.deepEqual(others, []);
    const { id } = await createUser(own);
    const issue = async () => (await own.post('/v1/auth/user-token', { user_id: id })).body.token as string;
    const before = await issue();
    assert.equal(kidOf(before), old, 'published, but not in use yet');

    clock.advance(11 * MINUTE_MS);
    const afterwards = await issue();
    assert.equal(kidOf(afterwards), next);
    await assertKnown(before);
    await services.signer.rotate();
    assert.deepEqual(await publishedKids(), [old, next], 'tokens of the old key still live');
    await assertKnown(before);

    clock.advance(DAY_MS);
    await services.signer.rotate();
    assert.deepEqual(await publishedKids(), [next]);
    await assertRefused(afterwards, 401, 'token_expired');
    assert.equal((await service.api(before).get('/v1/users')).status, 401);
    for (const key of (await readJwks()).keys) assert.ok(!('d' in key), 'never the private half');
  });

  it('200 two processes that rotate at once add one key', async () => {
    clock.advance(40 * DAY_MS);
    const count = async () => (await services.db.query('select 1 from signing_keys')).length;
    const before = await count();
    await Promise.all(Array.from({ length: 5 }, () => services.signer.rotate()));
    assert.equal(await count(), before + 1);
  });
});
