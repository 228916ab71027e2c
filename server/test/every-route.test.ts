// Checks access, tenancy and the error shape for every row of the route table, including rows added later.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { mintApiKey } from '../src/features/tenancy/accounts/api-key.ts';
import { mintToken } from '../src/platform/crypto/opaque-token.ts';
import type { Access } from '../src/platform/http/access.ts';
import { dialectOf, type Route } from '../src/platform/http/route.ts';
import { dashboardRoutes, operatorRoutes, publicRoutes } from '../src/routes.ts';
import { codeOfMissingUser } from './support/missing-user.ts';
import { sampleValue } from './support/sample-value.ts';
import type { Answer, TestApi } from './support/test-api.ts';
import { createFrozenClock } from './support/test-clock.ts';
import { memberApi } from './support/test-members.ts';
import { startTestService } from './support/test-service.ts';
import { createAccount, createKey, createUser } from './support/test-users.ts';

const service = await startTestService();
const strict = await startTestService({ clock: createFrozenClock(), realLimits: true });
after(async () => {
  await strict.stop();
  await service.stop();
});

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const isProbe = ({ access }: Route) => access.to === 'probes';
const isOpen = (route: Route) => route.access.to === 'anyone' || isProbe(route);
const guarded = publicRoutes.filter((route) => !isOpen(route));
const takesKey = ({ access }: Route) => access.to === 'api_key' || access.to === 'api_key_or_own_user';
const open = publicRoutes.filter(isOpen);

/** A call of the route for this user that would succeed. */
function callRoute(api: TestApi, route: Route, userId: string, extra: Record<string, string> = {}): Promise<Answer> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => (name === 'user_id' ? userId : randomUUID()));
  const { body, query } = dialectOf(route, 1);
  const required = query ? (sampleValue(query, { metrics: 'steps', metric: 'steps' }) as Record<string, string>) : {};
  const search = new URLSearchParams({ ...required, ...extra }).toString();
  const own = dialectOf(route, 1).headers.map((name) => [name, randomUUID()]);
  const headers = { 'api-form': '1', ...Object.fromEntries(own) };
  return api.call(route.method, search === '' ? path : `${path}?${search}`, {
    headers,
    ...(body ? { body: sampleValue(body, { user_id: userId }) } : {}),
  });
}

const account = await createAccount(service);
const own = await createUser(service.api(account.live));
const other = await createUser(service.api(account.live));
const issue = async (kind: string, userId: string): Promise<string> =>
  (await service.api(account.live).post(`/v1/auth/${kind}`, { user_id: userId })).body.token;

/** Each credential, and the response of a route with that access; null: accepted. */
type Refusal = [status: number, code: string] | null;
type Token = string | null | (() => Promise<string>);
const CREDENTIALS: Record<string, { token: Token; refusal: (access: Access) => Refusal }> = {
  none: { token: null, refusal: () => [401, 'missing_token'] },
  garbage: { token: 'garbage', refusal: () => [401, 'invalid_token'] },
  'a key with a bad checksum': {
    token: account.live.slice(0, -1) + (account.live.endsWith('A') ? 'B' : 'A'),
    refusal: () => [401, 'invalid_token'],
  },
  'an unknown key': { token: mintApiKey('live'), refusal: () => [401, 'invalid_token'] },
  'an expired key': { token: await makeExpiredKey(), refusal: () => [401, 'token_expired'] },
  'a revoked key': { token: await makeRevokedKey(), refusal: () => [401, 'invalid_token'] },
  'an unknown mobile token': { token: mintToken('mt_'), refusal: () => [401, 'invalid_token'] },
  'a mobile token': { token: await issue('mobile-token', own.id), refusal: () => [403, 'insufficient_scope'] },
  'the token of the user': {
    token: await issue('user-token', own.id),
    refusal: (access) => (access.to === 'api_key_or_own_user' ? null : [403, 'insufficient_scope']),
  },
  'the token of another user': {
    token: await issue('user-token', other.id),
    refusal: (access) => (access.to === 'api_key_or_own_user' ? [403, 'wrong_user'] : [403, 'insufficient_scope']),
  },
  'an API key': {
    token: account.live,
    refusal: (access) => (access.to === 'sdk_session' ? [403, 'insufficient_scope'] : null),
  },
  'an SDK credential': {
    token: makeSdkCredential, // a new one for each route, because one route revokes it
    refusal: (access) => (access.to === 'sdk_session' ? null : [403, 'insufficient_scope']),
  },
  'the operator’s token': { token: service.operatorToken, refusal: () => [401, 'invalid_token'] },
};

async function makeSdkCredential(): Promise<string> {
  const body = { installation_id: randomUUID(), platform: 'ios' };
  const headers = { 'idempotency-key': randomUUID() };
  const bootstrap = await service.api(account.live).post(`/v1/users/${own.id}/sdk-sessions`, body, { headers });
  const exchanged = await service
    .api(null)
    .post('/v1/sdk/sessions/exchange', { client_token: bootstrap.body.client_token });
  return exchanged.body.access_token;
}

async function makeExpiredKey(): Promise<string> {
  const { name } = await createAccount(service);
  const key = await createKey(service, name, 'live');
  await service.running.services.db.query(
    `update api_keys k set expires_at = now() - interval '1 second' from accounts a where a.id = k.account_id and a.name = $1`,
    [name],
  );
  return key;
}

async function makeRevokedKey(): Promise<string> {
  const { name, live } = await createAccount(service);
  assert.equal(
    (await service.operator().post('/admin/keys/revoke', { account: name, environment: 'live' })).status,
    200,
  );
  return live;
}

describe('the route table', () => {
  it('has every row once, with a unique operation id', () => {
    const rows = [...publicRoutes, ...operatorRoutes];
    assert.equal(new Set(rows.map(nameOf)).size, rows.length);
    assert.equal(new Set(rows.map((row) => row.operationId)).size, rows.length);
  });

  it('allows calls without a credential only where the specification does', () => {
    const reads = [
      '/healthz',
      '/readyz',
      '/version',
      '/metrics',
      '/docs',
      '/llms.txt',
      '/v1/openapi.json',
      '/.well-known/jwks.json',
    ];
    const names = open.map(nameOf);
    assert.deepEqual(
      reads.filter((path) => !names.includes(`GET ${path}`)),
      [],
    );
    const allowed = [
      ...reads.map((path) => `GET ${path}`),
      'POST /v1/sdk/sessions/exchange',
      'POST /v1/sdk/sessions/refresh',
    ];
    assert.deepEqual(
      names.filter((name) => !allowed.includes(name)),
      [],
    );
  });

  it('accepts a user token on exactly the eight reads of the specification', () => {
    const paths = [
      'daily',
      'devices',
      'scores',
      'scores/history',
      'sleep',
      'timeseries',
      'workouts',
      'workouts/:workout_id',
    ];
    const reads = paths.map((path) => `GET /v1/users/:user_id/${path}`);
    const accepted = guarded.filter(({ access }) => access.to === 'api_key_or_own_user').map(nameOf);
    assert.deepEqual(accepted.toSorted(), reads);
  });

  it('never requires payment on DELETE user', () => {
    const row = publicRoutes.find((route) => nameOf(route) === 'DELETE /v1/users/:user_id');
    assert.deepEqual(row?.access, { to: 'api_key', billing: 'exempt' });
  });
});

for (const route of guarded) {
  describe(nameOf(route), () => {
    for (const [credential, { token, refusal }] of Object.entries(CREDENTIALS)) {
      const expected = refusal(route.access);
      it(`${expected?.[0] ?? 'in'} with ${credential}`, async () => {
        const user = credential === 'an API key' ? await createUser(service.api(account.live)) : own; // it may be deleted
        const bearer = typeof token === 'function' ? await token() : token;
        const answer = await callRoute(service.api(bearer), route, user.id);
        if (expected === null) return assert.ok(answer.status !== 401 && answer.status !== 403, answer.text);
        assert.deepEqual([answer.status, answer.body.error], expected);
      });
    }

    if (!takesKey(route)) return;

    it('400 for an unknown query parameter, which it names', async () => {
      const answer = await callRoute(service.api(account.live), route, own.id, { nonsense: '1' });
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body.details.issues, [{ path: 'nonsense', message: 'unknown parameter' }]);
    });

    if (route.path.includes(':user_id') || Object.hasOwn(dialectOf(route, 1).body?.properties ?? {}, 'user_id')) {
      it('404 for a user of another account, the same as for an unknown one; the other environment is named', async () => {
        const caller = service.api(account.live);
        const foreign = await createUser(service.api((await createAccount(service)).live));
        const elsewhere = await createUser(service.api(account.sandbox));
        const bodies = [];
        for (const id of [randomUUID(), foreign.id, elsewhere.id]) {
          const answer = await callRoute(caller, route, id);
          assert.deepEqual([answer.status, answer.body.error], [404, codeOfMissingUser(route)], answer.text);
          assert.ok(answer.body.message.includes(id));
          bodies.push(answer.text.replaceAll(id, 'ID'));
        }
        const [unknown = '', ofOtherAccount, ofOtherEnvironment] = bodies;
        assert.equal(ofOtherAccount, unknown);
        const named =
          'User ID was not found: it is a sandbox user and this is a live key. Use a sandbox key (sk_sandbox_…).';
        assert.equal(ofOtherEnvironment, unknown.replace('User ID was not found.', named));
        assert.notEqual(ofOtherEnvironment, unknown);
        assert.equal((await service.api(account.sandbox).get(`/v1/users/${elsewhere.id}`)).status, 200, 'untouched');
      });
    }
  });
}

describe('routes with limited guesses', () => {
  const limited = [...publicRoutes, ...dashboardRoutes].filter(
    ({ access }) => access.to === 'anyone' && access.guesses === 'limited',
  );
  assert.ok(limited.length > 0);
  for (const route of limited)
    it(`401, the only status that counts as a guess, for a wrong secret: ${nameOf(route)}`, async () => {
      const { body } = dialectOf(route, 1);
      assert.ok(body);
      const known = { email: 'ada@example.org', token: 'A'.repeat(43) };
      const answer = await memberApi(service, null).post(route.path, sampleValue(body, known));
      assert.equal(answer.status, 401, answer.text);
    });
});

describe('429', () => {
  const api = strict.api();

  it('429 on every route of a key when the key’s bucket is empty', async () => {
    await Promise.all(Array.from({ length: 200 }, () => api.get('/v1/users')));
    for (const route of guarded.filter(takesKey)) {
      const answer = await callRoute(api, route, randomUUID());
      assert.equal(answer.status, 429, nameOf(route));
      assert.equal(answer.body.error, 'rate_limited');
    }
  });

  it('429 on every public route when the address’s bucket is empty, and on every rejected call', async () => {
    const anonymous = strict.api(null);
    await Promise.all(Array.from({ length: 200 }, () => anonymous.get('/version')));
    for (const route of publicRoutes) {
      const answer = await callRoute(anonymous, route, randomUUID());
      assert.equal(answer.status, isProbe(route) ? 200 : 429, nameOf(route)); // a health check must not fail
    }
  });
});

for (const route of operatorRoutes) {
  describe(`${nameOf(route)} (operator)`, () => {
    const path = route.path.replace(/:\w+/g, 'nobody');

    it('401 without the operator’s token', async () => {
      const none = await service.operator(null).call(route.method, path);
      assert.deepEqual([none.status, none.body.error], [401, 'missing_token']);
      for (const [credential, { token }] of Object.entries(CREDENTIALS)) {
        if (token === null || token === service.operatorToken) continue;
        const bearer = typeof token === 'function' ? await token() : token;
        const answer = await service.operator(bearer).call(route.method, path);
        assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_token'], credential);
      }
    });

    it('404 on the public port', async () => {
      assert.equal((await service.api(service.operatorToken).call(route.method, path)).status, 404);
    });

    it('400 for an unknown query parameter', async () => {
      const answer = await service.operator().call(route.method, `${path}?nonsense=1`);
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_parameter']);
    });
  });
}
