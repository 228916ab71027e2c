// Tests access to the operator API, and its accounts and keys.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { operatorRoutes } from '../../src/routes.ts';
import { assertEvery } from '../support/assert-every.ts';
import type { JsonBody } from '../support/test-api.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser, issuePaths } from '../support/test-users.ts';

const service = await startTestService();
after(() => service.stop());
const operator = service.operator();
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;
const accountPath = (name: string) => `/admin/accounts/${encodeURIComponent(name)}`;
const newName = () => `account ${randomUUID()}`;

describe('access', () => {
  it('401 for every credential except the operator’s', async () => {
    const token = service.operatorToken;
    for (const { method, path } of operatorRoutes) {
      const position = path.replace(/:\w+/g, 'default');
      const none = await service.operator(null).call(method, position);
      assert.equal(none.status, 401, `${method} ${path}`);
      assert.equal(none.body.error, 'missing_token');
      for (const other of [
        service.keys.live,
        service.keys.sandbox,
        `${token}x`,
        token.slice(0, -1),
        token.toUpperCase(),
        'op_',
      ]) {
        const answer = await service.operator(other).call(method, position);
        assert.equal(answer.status, 401, `${method} ${path}`);
        assert.equal(answer.body.error, 'invalid_token');
      }
    }
  });

  it('404 on the public port for every caller; and no public API on the operator port', async () => {
    for (const { method, path } of operatorRoutes)
      for (const token of [null, service.operatorToken, service.keys.live])
        assert.equal((await service.api(token).call(method, path.replace(/:\w+/g, 'default'))).status, 404, path);
    for (const path of ['/v1/users', '/healthz', '/docs', '/v1/openapi.json'])
      assert.equal((await operator.get(path)).status, 404, path);
    assert.equal((await service.api(service.operatorToken).get('/v1/users')).status, 401);
  });

  it('listens on a socket in the data folder that only the owner can read, like its secrets', () => {
    const socket = service.running.operatorSocket ?? '';
    assert.equal(dirname(socket), service.config.dataDir);
    assert.ok(statSync(socket).isSocket());
    for (const name of [basename(socket), 'service.json', 'master.key']) {
      const { mode } = statSync(join(service.config.dataDir, name));
      assert.equal(mode & 0o777, 0o600, name);
    }
  });
});

describe('accounts', () => {
  it('201 creates an account with two empty environments', async () => {
    const name = newName();
    const answer = await operator.post('/admin/accounts', { name });
    assert.equal(answer.status, 201);
    const { dashboard_link, ...account } = answer.body;
    assert.match(dashboard_link.url, /\/dashboard\/welcome#[\w-]{43}$/);
    assert.match(dashboard_link.expires_at, ISO);
    const { id, created_at, ...rest } = account;
    const unset = { logo_url: null, redirect_schemes: [], keep_routes: false, closed_at: null };
    assert.deepEqual(rest, { account: name, name, billing_status: 'active', default_form: 1, ...unset });
    assert.match(created_at, ISO);
    const listed = (await operator.get('/admin/accounts')).body.data.find((account: JsonBody) => account.id === id);
    assert.deepEqual(listed, {
      ...account,
      status: 'active',
      environments: [
        { environment: 'live', user_count: 0, user_limit: null },
        { environment: 'sandbox', user_count: 0, user_limit: null },
      ],
    });
  });

  it('409 name_taken', async () => {
    const name = newName();
    await operator.post('/admin/accounts', { name });
    const answer = await operator.post('/admin/accounts', { name });
    assert.equal(answer.status, 409);
    assert.equal(answer.body.error, 'name_taken');
  });

  it('400 for names that are empty, long, padded or of several lines', async () => {
    for (const name of ['', ' ', ' a', 'a ', 'a\nb', 'x'.repeat(101), 'a\u0000b', 5]) {
      const answer = await operator.post('/admin/accounts', { name });
      assert.equal(answer.status, 400, JSON.stringify(name));
      assertEvery(issuePaths(answer.body), (path) => path === 'name');
    }
  });

  it('200 changes billing and form by name or id, even for the longest names', async () => {
    for (const name of [newName(), '河'.repeat(100), '😀/?#%&'.repeat(14), 'a.b']) {
      const { body } = await operator.post('/admin/accounts', { name });
      const changed = await operator.patch(accountPath(name), { billing_status: 'past_due' });
      assert.equal(changed.status, 200, `${name}: ${changed.text}`);
      assert.equal(changed.body.billing_status, 'past_due');
      assert.equal(changed.body.default_form, 1);
      const again = await operator.patch(accountPath(body.id), { default_form: 2 });
      assert.deepEqual([again.body.billing_status, again.body.default_form], ['past_due', 2]);
    }
  });

  it('400 for an unknown status, form or field, and for an empty body', async () => {
    for (const change of [
      { billing_status: 'free' },
      { default_form: 3 },
      { default_form: '1' },
      { name: 'x' },
      {},
      undefined,
    ])
      assert.equal((await operator.patch(accountPath('default'), change)).status, 400, JSON.stringify(change));
  });

  it('404 for an unknown account', async () => {
    for (const answer of [
      await operator.patch(accountPath('nobody'), { default_form: 1 }),
      await operator.put(`${accountPath('nobody')}/user-limit`, { environment: 'live', limit: 1 }),
      await operator.post('/admin/keys', { account: 'nobody', environment: 'live' }),
      await operator.post('/admin/keys/revoke', { account: 'nobody', environment: 'live' }),
    ]) {
      assert.equal(answer.status, 404);
      assert.equal(answer.body.message, 'Account nobody was not found.');
    }
  });

  it('200 sets and removes a user limit, returned with the count', async () => {
    const account = await createAccount(service);
    await createUser(service.api(account.sandbox));
    const path = `${accountPath(account.name)}/user-limit`;
    assert.equal((await operator.put(path, { environment: 'sandbox', limit: 5 })).status, 200);
    const usage = async () => {
      const { data } = (await operator.get('/admin/accounts')).body;
      return data.find((each: JsonBody) => each.id === account.id).environments[1];
    };
    assert.deepEqual(await usage(), { environment: 'sandbox', user_count: 1, user_limit: 5 });
    assert.equal((await operator.put(path, { environment: 'sandbox', limit: null })).status, 200);
    assert.deepEqual(await usage(), { environment: 'sandbox', user_count: 1, user_limit: null });
    for (const body of [
      { environment: 'test', limit: 1 },
      { environment: 'live', limit: -1 },
      { environment: 'live', limit: 1.5 },
      { environment: 'live' },
    ])
      assert.equal((await operator.put(path, body)).status, 400, JSON.stringify(body));
  });
});

describe('keys', () => {
  it('201 shows the key once, valid for 90 days, and forbids caching', async () => {
    const { name } = await createAccount(service);
    const answer = await operator.post('/admin/keys', { account: name, environment: 'live' });
    assert.equal(answer.status, 201);
    assert.deepEqual(Object.keys(answer.body), [
      ...['key', 'environment', 'account', 'expires_at'],
      ...['id', 'name', 'replaced'],
    ]);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.ok(Math.abs(Date.parse(answer.body.expires_at) - Date.now() - 90 * DAY_MS) < 60_000);
    const list = await operator.get('/admin/keys');
    assert.ok(!list.text.includes(answer.body.key));
    const own = list.body.data.filter((key: JsonBody) => key.account === name && key.environment === 'live');
    assert.deepEqual(
      own.map((key: JsonBody) => key.status),
      ['active', 'active'],
    );
    assert.equal(own[0].last_four, answer.body.key.slice(-4));
  });

  it('400 for an unknown environment or field', async () => {
    for (const body of [
      { account: 'default', environment: 'test' },
      { environment: 'live' },
      { account: 'default', environment: 'live', days: 365 },
    ])
      assert.equal((await operator.post('/admin/keys', body)).status, 400, JSON.stringify(body));
  });
});
