// Tests rate limits as a client sees them. The clock does not advance, so that a bucket has exactly its burst.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { SECOND_MS } from '../../src/domain/time/durations.ts';
import { mintApiKey } from '../../src/features/tenancy/accounts/api-key.ts';
import { mintSecret } from '../../src/features/tenancy/members/session-token.ts';
import { mintToken } from '../../src/platform/crypto/opaque-token.ts';
import { assertEvery } from '../support/assert-every.ts';
import { countQueries } from '../support/count-queries.ts';
import type { Answer, TestApi } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { createMember, memberApi, SESSION_COOKIE } from '../support/test-members.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';

const clock = createFrozenClock();
const service = await startTestService({ clock, realLimits: true });
after(() => service.stop());

/** Sends calls in parallel and returns how many were accepted. */
async function flood(api: TestApi, count: number, path = '/v1/users'): Promise<{ passed: number; refused: Answer[] }> {
  const answers = await Promise.all(Array.from({ length: count }, () => api.get(path)));
  const refused = answers.filter((answer) => answer.status === 429);
  return { passed: answers.length - refused.length, refused };
}

function checkRefusals(refused: readonly Answer[], quota: string): void {
  assert.ok(refused.length > 0);
  for (const answer of refused) {
    assert.equal(answer.body.error, 'rate_limited');
    assert.deepEqual(answer.body.details, {});
    assert.equal(answer.headers.get('retry-after'), '1');
    assert.equal(answer.headers.get('ratelimit-policy'), quota);
    assert.match(answer.headers.get('ratelimit') ?? '', /^"requests";r=0;t=\d+$/);
  }
}

describe('an API key', () => {
  it('429 after a burst of 200, then 100 per second', async () => {
    const { live } = await createAccount(service);
    const api = service.api(live);
    const first = await api.get('/v1/users');
    assert.equal(first.headers.get('ratelimit'), '"requests";r=199;t=1');
    assert.equal(first.headers.get('ratelimit-policy'), '"requests";q=200;w=2');
    const burst = await flood(api, 249);
    assert.equal(burst.passed, 199);
    checkRefusals(burst.refused, '"requests";q=200;w=2');
    clock.advance(SECOND_MS);
    assert.equal((await flood(api, 150)).passed, 100);
    clock.advance(10 * SECOND_MS);
    assert.equal((await flood(api, 250)).passed, 200, 'at most the burst after any pause');
  });

  it('429 for one key does not affect another', async () => {
    const account = await createAccount(service);
    assert.equal((await flood(service.api(account.live), 210)).passed, 200);
    const other = await service.api(account.sandbox).get('/v1/users');
    assert.equal(other.status, 200);
    assert.equal(other.headers.get('ratelimit'), '"requests";r=199;t=1');
  });

  it('429 counts failed calls too: 400 and 404', async () => {
    const { live } = await createAccount(service);
    const api = service.api(live);
    assert.equal((await flood(api, 100, '/v1/users/nobody')).passed, 100);
    assert.equal((await flood(api, 110, '/v1/users?nonsense=1')).passed, 100);
  });
});

describe('a known key that is rejected', () => {
  it('402 and 429 count against the key only: the address keeps its bucket', async () => {
    const account = await createAccount(service);
    const api = service.api(account.live);
    clock.advance(60 * SECOND_MS);
    assert.equal((await flood(api, 250)).passed, 200);
    await service
      .operator()
      .patch(`/admin/accounts/${encodeURIComponent(account.name)}`, { billing_status: 'past_due' });
    clock.advance(SECOND_MS);
    const unpaid = await api.get('/v1/users');
    assert.equal(unpaid.status, 402);
    assert.equal(unpaid.headers.get('ratelimit-policy'), '"requests";q=200;w=2');
    const anonymous = await service.api(null).get('/version');
    assert.equal(anonymous.headers.get('ratelimit'), '"requests";r=199;t=1');
  });
});

describe('a user token', () => {
  it('429 after a burst of 50, then 10 per second, separate from its key', async () => {
    const { live } = await createAccount(service);
    const api = service.api(live);
    const { id } = await createUser(api);
    const issue = async () => service.api((await api.post('/v1/auth/user-token', { user_id: id })).body.token);
    const token = await issue();
    const burst = await flood(token, 70);
    assert.equal(burst.passed, 50);
    checkRefusals(burst.refused, '"requests";q=50;w=5');
    clock.advance(SECOND_MS);
    assert.equal((await flood(token, 30)).passed, 10);
    assert.equal((await (await issue()).get('/v1/users')).status, 429, 'all tokens of a user share one bucket');
    assert.equal((await api.get('/v1/users')).status, 200);
  });

  it('429 after the same 50 with twenty tokens of one user; another user has a separate bucket', async () => {
    const { live } = await createAccount(service);
    const api = service.api(live);
    const [one, other] = [await createUser(api), await createUser(api)];
    const issue = async (id: string) =>
      service.api((await api.post('/v1/auth/user-token', { user_id: id })).body.token);
    const tokens = await Promise.all(Array.from({ length: 20 }, () => issue(one.id)));
    const floods = await Promise.all(tokens.map((token) => flood(token, 10, `/v1/users/${one.id}/devices`)));
    assert.equal(
      floods.reduce((sum, { passed }) => sum + passed, 0),
      50,
    );
    assert.equal((await (await issue(other.id)).get(`/v1/users/${other.id}/devices`)).status, 200);
  });
});

describe('an address', () => {
  it('429 after 200 calls without a valid credential, whether missing, invalid or not needed', async () => {
    clock.advance(60 * SECOND_MS);
    const anonymous = service.api(null);
    const bad = service.api('sk_live_nonsense');
    assert.equal((await service.api().get('/v1/users')).status, 200);
    clock.advance(60 * SECOND_MS);
    assert.equal((await flood(anonymous, 60, '/version')).passed, 60);
    assert.equal((await flood(anonymous, 60)).passed, 60);
    const rest = await flood(bad, 100);
    assert.equal(rest.passed, 80);
    checkRefusals(rest.refused, '"requests";q=200;w=4');
    assert.equal((await anonymous.get('/version')).status, 429);
    assert.equal((await service.api().get('/v1/users')).status, 200, 'a valid key from that address still works');
    clock.advance(SECOND_MS);
    assert.equal((await flood(anonymous, 70)).passed, 50);
  });
});

describe('lookups of credentials', () => {
  const { db } = service.running.services;
  const ofKeys = (texts: readonly string[]) => texts.filter((text) => text.includes('api_keys')).length;
  const settle = () => clock.advance(60 * SECOND_MS);

  it('429 before the lookup of an unknown key, when the address has used up its calls', async () => {
    settle();
    const unknown = Array.from({ length: 300 }, () => service.api(mintApiKey('live')));
    const queries = await countQueries(db, async () => {
      const answers = await Promise.all(unknown.map((api) => api.get('/v1/users')));
      assert.equal(answers.filter(({ status }) => status === 401).length, 200);
      assert.equal(answers.filter(({ status }) => status === 429).length, 100);
    });
    assert.equal(ofKeys(queries), 200);
  });

  it('200 for a known key, however many invalid ones come from its address, even after all are looked up again', async () => {
    settle();
    const good = service.api();
    assert.equal((await good.get('/v1/users')).status, 200);
    await Promise.all(Array.from({ length: 210 }, () => service.api(mintApiKey('live')).get('/v1/users')));
    assert.equal((await service.api(mintApiKey('live')).get('/v1/users')).status, 429);
    await createAccount(service); // every cached key is dropped
    const queries = await countQueries(db, async () => assert.equal((await good.get('/v1/users')).status, 200));
    assert.equal(ofKeys(queries), 1, 'it was looked up');
  });

  it('401 for a key that was revoked counts against the address from then on', async () => {
    settle();
    const { name, live } = await createAccount(service);
    assert.equal((await service.api(live).get('/v1/users')).status, 200);
    await service.operator().post('/admin/keys/revoke', { account: name, environment: 'live' });
    const answers = await Promise.all(Array.from({ length: 300 }, () => service.api(live).get('/v1/users')));
    assertEvery(answers, ({ status }) => status === 401 || status === 429);
    assert.equal((await service.api(live).get('/v1/users')).status, 429);
  });

  it('429 before the lookup of an unknown mobile token', async () => {
    settle();
    const queries = await countQueries(db, async () => {
      const tokens = Array.from({ length: 250 }, () => service.api(mintToken('mt_')));
      const answers = await Promise.all(tokens.map((api) => api.get('/v1/users')));
      assert.equal(answers.filter(({ status }) => status === 429).length, 50);
    });
    assert.equal(queries.filter((text) => text.includes('mobile_tokens')).length, 200);
  });

  it('429 before the lookup of an unknown session of the dashboard, and of a valid one', async () => {
    settle();
    const { cookie } = await createMember(service, 'default', 'viewer');
    const path = '/dashboard/api/session';
    const callAll = (cookies: readonly string[]) =>
      countQueries(db, async () => {
        const answers = await Promise.all(cookies.map((each) => memberApi(service, each).get(path)));
        assert.equal(answers.filter(({ status }) => status === 429).length, 50);
      });
    const ofSessions = (texts: readonly string[]) =>
      texts.filter((text) => text.includes('where s.token_hash = $1')).length;
    assert.equal((await memberApi(service, cookie).get(path)).status, 200);
    const unknown = Array.from({ length: 249 }, () => `${SESSION_COOKIE}=${mintSecret()}`);
    assert.equal(ofSessions(await callAll(unknown)), 199); // the first call of the valid one counts too
    assert.equal((await memberApi(service, cookie).get(path)).status, 200, 'the address does not matter to it');
    assert.equal(ofSessions(await callAll(Array.from({ length: 248 }, () => cookie))), 198);
  });

  it('429 for a valid user token and a valid SDK token before the lookup of their user', async () => {
    settle();
    const { id } = await createUser(service.api());
    const userToken = (await service.api().post('/v1/auth/user-token', { user_id: id })).body.token;
    const phone = await startPhone(service, id);
    for (const [api, limit, table] of [
      [service.api(userToken), 50, 'from users u'],
      [phone.api, 60, 'sdk_sessions'],
    ] as const) {
      assert.equal((await flood(api, limit)).refused.length, 0);
      const queries = await countQueries(db, async () => {
        assert.equal((await flood(api, 100)).passed, 0);
      });
      assert.equal(queries.filter((text) => text.includes(table)).length, 0, table);
    }
  });

  it('401 for forged user tokens that name unknown keys: one query of the keys for all of them', async () => {
    settle();
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = () =>
      `${part({ alg: 'EdDSA', typ: 'tributary-user+jwt', kid: randomUUID() })}.${part({ sub: randomUUID() })}.${'A'.repeat(86)}`;
    const queries = await countQueries(db, async () => {
      const answers = await Promise.all(Array.from({ length: 150 }, () => service.api(forged()).get('/v1/users')));
      assertEvery(answers, ({ status }) => status === 401);
    });
    const count = queries.filter((text) => text.includes('signing_keys')).length;
    assert.ok(count >= 1 && count <= 2, `${count}`);
  });

  it('404 for a provider webhook with a guessed secret: no query', async () => {
    const queries = await countQueries(db, async () => {
      for (const path of ['oura/sandbox', 'oura/0123456789abcdef', 'whoop/x', 'garmin/a%00b', 'nobody/sandbox'])
        assert.equal(
          (await fetch(`${service.url}/provider-webhooks/${path}/guessed`, { method: 'POST' })).status,
          404,
          path,
        );
    });
    assert.deepEqual(
      queries.filter((text) => text.includes('provider_')),
      [],
    );
  });
});

describe('the operator', () => {
  it('200 is never limited', async () => {
    assert.equal((await flood(service.operator(), 300, '/admin/keys')).refused.length, 0);
  });
});

describe('guessing a secret', () => {
  it('429 after 100 failed exchanges and refreshes from one address, then ten per minute', async () => {
    clock.advance(60 * SECOND_MS);
    const phone = service.api(null);
    const exchange = () => phone.post('/v1/sdk/sessions/exchange', { client_token: 'ct_guess' });
    const refresh = () => phone.post('/v1/sdk/sessions/refresh', { refresh_token: 'sr_guess' });
    for (const guess of [exchange, refresh]) {
      const answers = await Promise.all(Array.from({ length: 50 }, guess));
      assertEvery(answers, (answer) => answer.status === 401);
    }
    for (const guess of [exchange, refresh]) {
      const refused = await guess();
      assert.deepEqual([refused.status, refused.body.error], [429, 'rate_limited']);
      assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    }
    assert.equal((await phone.get('/version')).status, 200, 'other calls of the address still work');
    const user = await createUser(service.api());
    const good = (await service.api().post('/v1/auth/mobile-token', { user_id: user.id })).body.token;
    const entered = await phone.post('/v1/sdk/sessions/exchange', { client_token: good });
    assert.equal(entered.status, 200, 'a valid secret still works');
    clock.advance(6 * SECOND_MS);
    assert.equal((await exchange()).status, 401);
    assert.equal((await exchange()).status, 429);
  });
});
