// Tests API keys: format, lifetime, rotation across processes, billing and user limits.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, it, mock } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { mintApiKey } from '../../src/features/tenancy/accounts/api-key.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { publicRoutes } from '../../src/routes.ts';
import { createMovableClock } from '../support/test-clock.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount, createKey, createUser, newReference, rotateKey } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createMovableClock();
const environment = { TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64') };
const service = await startTestService({ clock, environment });
const second = await startTestService({ environment, databaseUrl: service.config.databaseUrl ?? '' });
after(async () => {
  await second.stop();
  await service.stop();
});
const operator = service.operator();
const { db } = service.running.services;

async function statusOf(key: string): Promise<string> {
  const { status, body } = await service.api(key).get('/v1/users');
  return status === 200 ? '200' : `${status} ${body.error}`;
}

const accountPath = (name: string) => `/admin/accounts/${encodeURIComponent(name)}`;

describe('the format of a key', () => {
  it('200 with a prefix, 32 random bytes in base62 and a checksum of six characters', async () => {
    const account = await createAccount(service);
    assert.match(account.live, /^sk_live_[0-9A-Za-z]{49}$/);
    assert.match(account.sandbox, /^sk_sandbox_[0-9A-Za-z]{49}$/);
    assert.equal(await statusOf(account.live), '200');
    assert.equal(await statusOf(account.sandbox), '200');
  });

  it('401 invalid_token for a typing error without a query, and for an unknown key after a query', async () => {
    const { live } = await createAccount(service);
    const spy = mock.method(db as { query: Database['query'] }, 'query');
    const lookUps = () =>
      spy.mock.calls.filter(({ arguments: [text] }) => typeof text === 'object' && text.name === 'read_api_key').length;
    const other = (character: string) => (character === 'A' ? 'B' : 'A');
    for (const typo of [
      live.slice(0, -1) + other(live.slice(-1)),
      live.slice(0, 20) + other(live.charAt(20)) + live.slice(21),
      live.replace('live', 'sandbox'),
      live.slice(0, -1),
      `${live}A`,
      live.toLowerCase(),
      'sk_live_',
      'sk_test_abc',
      'sk_',
    ])
      assert.equal(await statusOf(typo), '401 invalid_token', typo);
    assert.equal(lookUps(), 0);
    assert.equal(await statusOf(mintApiKey('live')), '401 invalid_token');
    assert.equal(lookUps(), 1);
    spy.mock.restore();
  });

  it('only the hash is stored in the database', async () => {
    const { live, sandbox } = await createAccount(service);
    await statusOf(live);
    const tables = await db.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    assert.ok(tables.length > 8);
    for (const secret of [live, sandbox, live.slice('sk_live_'.length), live.slice('sk_live_'.length, -6)]) {
      const hex = Buffer.from(secret).toString('hex');
      for (const { name } of tables) {
        const rows = await db.query(`select 1 from ${name} t where t::text like $1 or t::text like $2`, [
          `%${secret}%`,
          `%${hex}%`,
        ]);
        assert.equal(rows.length, 0, `a key in ${name}`);
      }
    }
  });
});

describe('the lifetime of a key', () => {
  it('200 for all existing keys after another one is created without a name', async () => {
    const account = await createAccount(service);
    const next = await createKey(service, account.name, 'live');
    assert.deepEqual([await statusOf(account.live), await statusOf(next)], ['200', '200']);
  });

  it('401 invalid_token at once for the old key after a rotation; the other environment keeps its key', async () => {
    const account = await createAccount(service);
    assert.equal(await statusOf(account.live), '200');
    const next = await rotateKey(service, account.name, 'live');
    assert.equal(await statusOf(account.live), '401 invalid_token');
    assert.equal(await statusOf(next), '200');
    assert.equal(await statusOf(account.sandbox), '200');
  });

  it('401 invalid_token on a second process within a second', async () => {
    const account = await createAccount(service);
    const there = second.api(account.live);
    assert.equal((await there.get('/v1/users')).status, 200);
    assert.equal((await there.get('/v1/users')).status, 200, 'cached by now');
    await rotateKey(service, account.name, 'live');
    const startMs = performance.now();
    await waitUntil('the old key is rejected', async () => (await there.get('/v1/users')).status === 401);
    assert.ok(performance.now() - startMs < 1_000, `${performance.now() - startMs} ms`);
  });

  it('401 invalid_token at once after revocation; revoking nothing is not an error', async () => {
    const account = await createAccount(service);
    const body = { account: account.name, environment: 'live' };
    assert.equal(await statusOf(account.live), '200');
    assert.equal((await operator.post('/admin/keys/revoke', body)).body.revoked, 1);
    assert.equal(await statusOf(account.live), '401 invalid_token');
    assert.equal((await operator.post('/admin/keys/revoke', body)).body.revoked, 0);
    assert.equal(await statusOf(account.sandbox), '200');
  });

  it('201 for each of ten parallel rotations; one key is active', async () => {
    const { name } = await createAccount(service);
    const keys = await Promise.all(Array.from({ length: 10 }, () => rotateKey(service, name, 'live')));
    const statuses = await Promise.all(keys.map(statusOf));
    assert.equal(statuses.filter((status) => status === '200').length, 1);
  });

  it('201 for keys created in parallel without a name, each with a different name', async () => {
    const { name } = await createAccount(service);
    const keys = await Promise.all(Array.from({ length: 9 }, () => createKey(service, name, 'live')));
    assert.deepEqual(await Promise.all(keys.map(statusOf)), Array(9).fill('200'));
  });

  it('401 token_expired after exactly 90 days, also for a cached key', async () => {
    const account = await createAccount(service);
    assert.equal(await statusOf(account.live), '200');
    clock.advance(90 * DAY_MS - MINUTE_MS);
    assert.equal(await statusOf(account.live), '200');
    clock.advance(MINUTE_MS);
    assert.equal(await statusOf(account.live), '401 token_expired');
    const fresh = await rotateKey(service, account.name, 'live');
    assert.equal(await statusOf(fresh), '200');
    assert.equal(await statusOf(account.live), '401 invalid_token', 'replaced, so revoked rather than expired');
  });
});

describe('402 payment_required', () => {
  const checked = publicRoutes.filter(({ access }) => 'billing' in access && access.billing === 'checked');

  it('402 for past_due and suspended, at once and on a second process within a second; 200 when active again', async () => {
    const account = await createAccount(service);
    const there = second.api(account.live);
    assert.equal((await there.get('/v1/users')).status, 200);
    for (const billing_status of ['past_due', 'suspended']) {
      await operator.patch(accountPath(account.name), { billing_status });
      const startMs = performance.now();
      const answer = await service.api(account.sandbox).get('/v1/users');
      assert.equal(answer.status, 402);
      assert.equal(answer.body.error, 'payment_required');
      assert.deepEqual(answer.body.details, { billing_status });
      await waitUntil(
        '402 there',
        async () => (await there.get('/v1/users')).body.details?.billing_status === billing_status,
      );
      assert.ok(performance.now() - startMs < 1_000);
    }
    await operator.patch(accountPath(account.name), { billing_status: 'active' });
    assert.equal(await statusOf(account.live), '200');
    await waitUntil('200 there', async () => (await there.get('/v1/users')).status === 200, 1_000);
  });

  it('402 on every call that the specification lists, and on tokens', async () => {
    const listed = ['POST /v1/users', 'GET /v1/users', 'GET /v1/users/:user_id', 'PATCH /v1/users/:user_id'];
    const tokens = ['user-token', 'user-token/refresh', 'mobile-token'].map((name) => `POST /v1/auth/${name}`);
    const names = checked.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(
      [...listed, ...tokens].filter((name) => !names.includes(name)),
      [],
    );
    const account = await createAccount(service);
    await operator.patch(accountPath(account.name), { billing_status: 'past_due' });
    for (const { method, path } of checked) {
      const answer = await service.api(account.live).call(method, path.replace(/:\w+/g, ABSENT_ID));
      assert.equal(answer.status, 402, `${method} ${path}`);
    }
  });

  it('202 DELETE user works whatever the billing status', async () => {
    const account = await createAccount(service);
    const own = service.api(account.live);
    const users = [await createUser(own), await createUser(own)];
    for (const [index, billing_status] of ['past_due', 'suspended'].entries()) {
      await operator.patch(accountPath(account.name), { billing_status });
      assert.equal((await own.delete(`/v1/users/${users[index].id}`)).status, 202);
      assert.equal((await own.delete(`/v1/users/${users[index].id}`)).status, 404);
    }
  });

  it('402 with details.limit: 50 parallel creates reach exactly the limit, and a deletion frees a slot', async () => {
    const account = await createAccount(service);
    const own = service.api(account.live);
    const setLimit = (limit: number | null, environmentName = 'live') =>
      operator.put(`${accountPath(account.name)}/user-limit`, { environment: environmentName, limit });
    const create = () => own.post('/v1/users', { external_ref: newReference() });
    await createUser(own);
    assert.equal((await setLimit(20)).status, 200);
    const answers = await Promise.all(Array.from({ length: 50 }, create));
    assert.equal(answers.filter((answer) => answer.status === 201).length, 19);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      assert.equal(answer.status, 402);
      assert.equal(answer.body.error, 'payment_required');
      assert.deepEqual(answer.body.details, { limit: 20 });
    }
    const list = await own.get('/v1/users?page=1&per_page=100');
    assert.deepEqual([list.body.meta.total, list.body.data.length], [20, 20]);
    assert.equal(
      (await service.api(account.sandbox).post('/v1/users', { external_ref: 'x' })).status,
      201,
      'other environment',
    );

    assert.equal((await own.delete(`/v1/users/${list.body.data[0].id}`)).status, 202);
    assert.equal((await create()).status, 201);
    assert.equal((await create()).status, 402);
    await setLimit(0);
    assert.deepEqual((await create()).body.details, { limit: 0 });
    assert.equal((await own.get('/v1/users')).status, 200, 'reads still work');
    await setLimit(null);
    assert.equal((await create()).status, 201);
  });
});
