// Tests the request log and the usage counters behind the dashboard.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { JsonBody } from '../support/test-api.ts';
import { createMember, memberApi } from '../support/test-members.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';

const service = await startTestService();
after(() => service.stop());
const { services } = service.running;

async function openAccount() {
  const account = await createAccount(service);
  const { cookie } = await createMember(service, account.name, 'viewer');
  return { account, api: service.api(account.live), member: memberApi(service, cookie) };
}

describe('GET /dashboard/api/{environment}/requests', () => {
  it('200 lists calls of the environment newest first, with status, error, user and program', async () => {
    const { api, member } = await openAccount();
    const user = await createUser(api, { external_ref: 'ada' });
    await api.get(`/v1/users/${user.id}`, { headers: { 'user-agent': 'acme/1.0' } });
    const refused = await api.get('/v1/users/nobody');
    await services.requestLog.flush();
    const { status, body } = await member.get('/dashboard/api/live/requests');
    assert.equal(status, 200);
    assert.deepEqual(
      body.data.map((entry: JsonBody) => [entry.method, entry.route, entry.status, entry.error, entry.reference_id]),
      [
        ['GET', '/v1/users/:user_id', 404, 'not_found', null],
        ['GET', '/v1/users/:user_id', 200, null, 'ada'],
        ['POST', '/v1/users', 201, null, null],
      ],
    );
    assert.equal(body.data[0].id, refused.headers.get('x-request-id'));
    assert.equal(body.data[1].agent, 'acme/1.0');
    assert.equal(body.data[1].path, '/v1/users/{id}');
    assert.equal(body.data[1].credential.kind, 'api_key');
    assert.ok(body.data[1].bytes > 0);
    assert.deepEqual((await member.get('/dashboard/api/sandbox/requests')).body.data, []);
  });

  it('200 with filters, pages and CSV', async () => {
    const { api, member } = await openAccount();
    for (let count = 0; count < 3; count += 1) await api.get('/v1/users');
    await api.get('/v1/users/nobody');
    await services.requestLog.flush();
    const failed = await member.get('/dashboard/api/live/requests?outcome=failed');
    assert.equal(failed.body.data.length, 1);
    const first = await member.get('/dashboard/api/live/requests?limit=3');
    const second = await member.get(`/dashboard/api/live/requests?limit=3&cursor=${first.body.next_cursor}`);
    assert.deepEqual([first.body.data.length, second.body.data.length, second.body.next_cursor], [3, 1, null]);
    const csv = await member.get('/dashboard/api/live/requests', { headers: { accept: 'text/csv' } });
    assert.equal(csv.text.trim().split('\n').length, 5);
  });

  it('200 filters by status class, text, and user by id or reference', async () => {
    const { api, member } = await openAccount();
    const user = await createUser(api, { external_ref: 'ada' });
    await api.get(`/v1/users/${user.id}/daily?types=steps&from_date=2026-03-01`);
    await api.get('/v1/users/nobody');
    await services.requestLog.flush();
    const find = async (query: string) => {
      const { body } = await member.get(`/dashboard/api/live/requests?${query}`);
      return body.data.map((entry: JsonBody) => entry.route);
    };
    assert.deepEqual(await find('status=4xx'), ['/v1/users/:user_id']);
    assert.deepEqual(await find('status=5xx'), []);
    assert.deepEqual(await find('status=2xx&method=GET'), ['/v1/users/:user_id/daily']);
    assert.deepEqual(await find('q=NOT_found'), ['/v1/users/:user_id']);
    assert.deepEqual(await find('q=types%3Dsteps'), ['/v1/users/:user_id/daily']);
    assert.deepEqual(await find('user=ada'), ['/v1/users/:user_id/daily']);
    assert.deepEqual(await find(`user=${user.id}`), ['/v1/users/:user_id/daily']);
    assert.deepEqual(await find('user=nobody'), []);
  });

  it('200 explains the error of a call', async () => {
    const { api, member } = await openAccount();
    const refused = await api.get('/v1/users/nobody');
    const accepted = await api.get('/v1/users');
    await services.requestLog.flush();
    const read = async (id: string | null) => (await member.get(`/dashboard/api/live/requests/${id}`)).body.explanation;
    assert.match((await read(refused.headers.get('x-request-id'))).when, /the resource does not exist/);
    assert.equal(await read(accepted.headers.get('x-request-id')), null);
  });

  it('hides values of the query that could describe a person', async () => {
    const { api, member } = await openAccount();
    await api.get('/v1/users?reference_id=ada&limit=5');
    await services.requestLog.flush();
    const { body } = await member.get('/dashboard/api/live/requests');
    assert.equal(body.data[0].path, '/v1/users?reference_id=…&limit=5');
  });

  it('does not list calls of the dashboard or without a valid credential', async () => {
    const { member } = await openAccount();
    await member.get('/dashboard/api/live/v1/users');
    await service.api(null).get('/v1/users');
    await services.requestLog.flush();
    assert.deepEqual((await member.get('/dashboard/api/live/requests')).body.data, []);
  });

  it('200 reads one call with its neighbours, and 404 in another account', async () => {
    const { api, member } = await openAccount();
    const user = await createUser(api);
    const ids: (string | null)[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.push((await api.get(`/v1/users/${user.id}`)).headers.get('x-request-id'));
    await services.requestLog.flush();
    const { body } = await member.get(`/dashboard/api/live/requests/${ids[1]}`);
    assert.equal(body.data.id, ids[1]);
    assert.deepEqual(
      body.neighbours.map(({ id }: JsonBody) => id),
      [ids[2], ids[0]],
    );
    const other = await openAccount();
    assert.equal((await other.member.get(`/dashboard/api/live/requests/${ids[1]}`)).status, 404);
  });
});

describe('usage counters', () => {
  it('count requests, uploads and refused values', async () => {
    const { account, api, member } = await openAccount();
    const user = await createUser(api);
    const phone = await startPhone(service, user.id, { key: account.live });
    const start = new Date().toISOString();
    await phone.upload({
      samples: [
        { metric: 'heart_rate', start, end: start, value: 61, unit: 'bpm' },
        { metric: 'heart_rate', start, end: start, value: 9_999, unit: 'bpm' },
      ],
    });
    await api.get('/v1/users/nobody');
    await services.usage.flush();
    const { body } = await member.get('/dashboard/api/live/overview');
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    assert.equal(sum(body.series.uploads.n), 1);
    assert.deepEqual(body.readings, { n: 2, bad: 1 });
    assert.ok(sum(body.series.requests.n) >= 4);
    assert.ok(sum(body.series.requests.bad) >= 1);
    assert.equal(body.attention.find(({ kind }: JsonBody) => kind === 'values_refused').count, 1);
  });

  it('count the calls of each key in 24 hours', async () => {
    const { account, api, member } = await openAccount();
    for (let count = 0; count < 3; count += 1) await api.get('/v1/users');
    await services.usage.flush();
    const read = async () => (await member.get('/dashboard/api/live/keys')).body.data;
    assert.deepEqual(
      (await read()).map(({ requests_24h }: JsonBody) => requests_24h),
      [3],
    );
    await services.db.query(`update usage_minutes set at = at - interval '25 hours' where account_id = $1`, [
      account.id,
    ]);
    await api.get('/v1/users');
    await services.usage.flush();
    assert.equal((await read())[0].requests_24h, 1);
    assert.equal((await member.get('/dashboard/api/sandbox/keys')).body.data[0].requests_24h, 0);
  });

  it('are summed into hours and days, and old minutes are removed', async () => {
    const { account, api } = await openAccount();
    await api.get('/v1/users');
    await services.usage.flush();
    const now = services.clock.now().getTime();
    const { db } = services;
    await db.query(`update usage_minutes set at = at - interval '3 days' where account_id = $1`, [account.id]);
    const { foldUsageJob } = await import('../../src/features/tenancy/usage/index.ts');
    for (let run = 0; run < 2; run += 1) await foldUsageJob.run(services, {});
    const count = async (table: string) =>
      (await db.query<{ n: number }>(`select sum(n)::int as n from ${table} where account_id = $1`, [account.id]))[0]
        ?.n;
    assert.deepEqual(
      [await count('usage_minutes'), await count('usage_hours'), await count('usage_days')],
      [null, 1, 1],
      new Date(now).toISOString(),
    );
  });
});
