// One account cannot use up the connections that another account's reads need. Locks held by a database client block the
// account's work, so that the tests do not depend on the speed of the machine.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { addToBatch, listNewBlocks, startBatch } from '../../src/features/tenancy/request-log/request-batch.ts';
import { insertBlocks } from '../../src/features/tenancy/request-log/store.ts';
import { dialectOf, type Route } from '../../src/platform/http/route.ts';
import { publicRoutes } from '../../src/routes.ts';
import { sampleValue } from '../support/sample-value.ts';
import type { Answer, TestApi } from '../support/test-api.ts';
import { createMember, memberApi } from '../support/test-members.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createKey, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

/** More than the connection pool of the API. */
const CALLS = 20;
/** The tables that a read of a user and the check of its key use. */
const TABLES_OF_READER = ['users', 'user_zones', 'devices', 'accounts', 'api_keys', 'account_environments'];

/** Tables read for all accounts and cached. */
const TABLES_OF_ALL = ['credential_cache_version', 'signing_keys', 'migrations'];

const service = await startTestService({ role: 'api' }); // without loops and jobs, so all locks belong to requests
const blocker = new pg.Client({ connectionString: service.config.databaseUrl ?? '' });
await blocker.connect();
after(async () => {
  await blocker.end();
  await service.stop();
});

const busy = await createAccount(service);
const reader = await createAccount(service);
const readerApi = service.api(reader.live);
const { id: readerUser } = await createUser(readerApi);
const readAsOther = () => readerApi.get(`/v1/users/${readerUser}`);

/** Holds locks until the work has ended. */
async function whileLocked(sql: readonly string[], work: () => Promise<void>): Promise<void> {
  await blocker.query('begin');
  try {
    for (const statement of sql) await blocker.query(statement);
    await work();
  } finally {
    await blocker.query('rollback');
  }
}

async function countWaiting(): Promise<number> {
  await blocker.query('select pg_stat_clear_snapshot()'); // a transaction sees no connection that was opened after its first look
  const { rows } = await blocker.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

/** Waits until a stable number of calls, and at least `atLeast`, wait for locks, or until none is left. */
async function awaitHeldUp(calls: readonly Promise<Answer>[], atLeast = 1): Promise<number> {
  let finished = 0;
  for (const call of calls)
    void call.then(
      () => (finished += 1),
      () => (finished += 1),
    );
  let last = -1;
  return waitUntil('calls that wait for a lock', async () => {
    const waiting = await countWaiting();
    const isSettled = waiting === last && (waiting >= atLeast || finished === calls.length);
    last = waiting;
    if (isSettled) return { waiting };
    await delay(20); // gives calls in progress time to arrive
    return null;
  }).then(({ waiting }) => waiting);
}

const onRows = (table: string, condition: string) => `select 1 from ${table} where ${condition} for update`;
const ofBusy = `account_id = '${busy.id}'`;

describe('an account that waits for locks', () => {
  it('200 for another account while 20 changes of 20 users are blocked, all of which succeed afterwards', async () => {
    const api = service.api(busy.live);
    const users = await Promise.all(Array.from({ length: CALLS }, () => createUser(api)));
    let calls: Promise<Answer>[] = [];
    await whileLocked([onRows('users', ofBusy)], async () => {
      calls = users.map(({ id }) => api.patch(`/v1/users/${id}`, { metadata: { a: 'b' } }));
      assert.ok((await awaitHeldUp(calls, 2)) > 1, 'several are blocked');
      assert.equal((await readAsOther()).status, 200);
      assert.ok((await countWaiting()) > 1, 'they are still blocked');
    });
    assert.deepEqual(new Set((await Promise.all(calls)).map(({ status }) => status)), new Set([200]));
  });

  it('200 for a fifth account while the reads of four accounts are blocked, which leave it a connection', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => createAccount(service)));
    let calls: Promise<Answer>[] = [];
    await whileLocked(['lock table webhooks in access exclusive mode'], async () => {
      const begin = ({ live }: { live: string }) =>
        Array.from({ length: CALLS }, () => service.api(live).get('/v1/webhooks'));
      calls = others.slice(0, 1).flatMap(begin);
      assert.equal(await awaitHeldUp(calls, 4), 4, 'an account that is alone gets several connections');
      calls.push(...others.slice(1).flatMap(begin));
      assert.equal(await awaitHeldUp(calls, 7), 7);
      assert.equal((await readAsOther()).status, 200);
      assert.equal(await countWaiting(), 7, 'they are still blocked');
    });
    assert.deepEqual(new Set((await Promise.all(calls)).map(({ status }) => status)), new Set([200]));
  });

  it('200 for a change of a fourth account while changes of three accounts are blocked', async () => {
    const others = [busy, await createAccount(service), await createAccount(service)];
    const users = await Promise.all(
      others.map(({ live }) => Promise.all(Array.from({ length: CALLS }, () => createUser(service.api(live))))),
    );
    let calls: Promise<Answer>[] = [];
    const accounts = others.map(({ id }) => `'${id}'`).join();
    await whileLocked([onRows('users', `account_id in (${accounts})`)], async () => {
      const begin = (index: number) =>
        (users[index] ?? []).map(({ id }) =>
          service.api(others[index]?.live).patch(`/v1/users/${id}`, { metadata: { a: 'b' } }),
        );
      calls = begin(0);
      assert.equal(await awaitHeldUp(calls, 3), 3, 'an account that is alone gets several connections');
      calls.push(...begin(1), ...begin(2));
      assert.equal(await awaitHeldUp(calls, 5), 5);
      const change = await readerApi.patch(`/v1/users/${readerUser}`, { metadata: { a: 'b' } });
      assert.equal(change.status, 200);
      assert.equal(await countWaiting(), 5, 'they are still blocked');
    });
    assert.deepEqual(new Set((await Promise.all(calls)).map(({ status }) => status)), new Set([200]));
  });

  it('200 for another account while sandbox users are created, one at a time per account', async () => {
    const api = service.api(busy.sandbox);
    let calls: Promise<Answer>[] = [];
    await whileLocked([onRows('account_environments', ofBusy)], async () => {
      // The same reference, because a rejected creation is short.
      calls = Array.from({ length: CALLS }, () => api.post('/v1/users', { external_ref: 'one' }));
      assert.equal(await awaitHeldUp(calls), 1);
      assert.equal((await readAsOther()).status, 200);
    });
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [201, ...Array.from({ length: CALLS - 1 }, () => 409)]);
  });

  it('200 for another account while sandbox users are created with several keys, which share one account’s share', async () => {
    const keys = [
      busy.sandbox,
      await createKey(service, busy.name, 'sandbox'),
      await createKey(service, busy.name, 'sandbox'),
    ];
    let calls: Promise<Answer>[] = [];
    await whileLocked([onRows('account_environments', ofBusy)], async () => {
      calls = Array.from({ length: CALLS }, (_, index) =>
        service.api(keys[index % keys.length]).post('/v1/users', { external_ref: 'one of several keys' }),
      );
      assert.equal(await awaitHeldUp(calls), 1);
      assert.equal((await readAsOther()).status, 200);
    });
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [201, ...Array.from({ length: CALLS - 1 }, () => 409)]);
  });

  it('200 for another account while devices of several users are removed, one at a time per account', async () => {
    const api = service.api(busy.live);
    const users = await Promise.all(Array.from({ length: CALLS }, () => createUser(api)));
    let calls: Promise<Answer>[] = [];
    await whileLocked([onRows('users', ofBusy)], async () => {
      calls = users.map(({ id }) => api.call('DELETE', `/v1/users/${id}/devices/${randomUUID()}`));
      assert.equal(await awaitHeldUp(calls), 1);
      assert.equal((await readAsOther()).status, 200);
    });
    assert.deepEqual(new Set((await Promise.all(calls)).map(({ status }) => status)), new Set([404]));
  });

  it('200 for previews of one user, which wait without a connection; 503 overloaded with Retry-After beyond 32', async () => {
    const api = service.api(busy.live);
    const { id } = await createUser(api);
    const path = `/v1/users/${id}/consolidation?preview=true`;
    let calls: Promise<Answer>[] = [];
    await whileLocked([onRows('users', `id = '${id}'`)], async () => {
      calls = Array.from({ length: 40 }, () => api.patch(path, { metrics: { steps: { method: 'max' } } }));
      const refused = await Promise.all((await takeFinished(calls, 7)).map((call) => call));
      for (const { status, body, headers } of refused) {
        assert.deepEqual([status, body.error], [503, 'overloaded']);
        assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      }
      assert.equal(await awaitHeldUp(calls), 1);
      assert.equal((await readAsOther()).status, 200);
      assert.equal((await api.get(`/v1/users/${id}`)).status, 200, 'the account itself reads too');
    });
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.length], [33, 40]);
  });

  it('ends previews and removals of devices of one user, in whatever order they wait', async () => {
    const api = service.api(busy.live);
    const { id: other } = await createUser(api);
    const { id } = await createUser(api);
    const remove = (user: string) => api.call('DELETE', `/v1/users/${user}/devices/${randomUUID()}`);
    const preview = () =>
      api.patch(`/v1/users/${id}/consolidation?preview=true`, { metrics: { steps: { method: 'max' } } });
    let calls: Promise<Answer>[] = [];
    await whileLocked([onRows('users', `id = '${other}'`)], async () => {
      calls = [remove(other)]; // uses the account's share
      assert.equal(await awaitHeldUp(calls), 1);
      for (let round = 0; round < 3; round += 1) calls.push(remove(id), preview());
      assert.equal((await api.get(`/v1/users/${id}`)).status, 200, 'the calls before this one have arrived');
    });
    const statuses = (await takeFinished(calls, calls.length)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, 200, 200, 404, 404, 404, 404]);
  });

  it('200 for changes of a user while another account waits with that user’s id', async () => {
    const api = service.api(busy.live);
    const { id: own } = await createUser(api);
    const preview = (id: string) =>
      api.patch(`/v1/users/${id}/consolidation?preview=true`, { metrics: { steps: { method: 'max' } } });
    let calls: Promise<Answer>[] = [];
    await whileLocked([onRows('users', `id = '${own}'`)], async () => {
      calls = [preview(own)];
      assert.equal(await awaitHeldUp(calls), 1);
      calls.push(preview(readerUser)); // waits for the share that the first call uses
      const change = await readerApi.patch(`/v1/users/${readerUser}`, { metadata: { a: 'b' } });
      assert.equal(change.status, 200);
      assert.equal(await countWaiting(), 1, 'the first is still blocked');
    });
    assert.deepEqual(
      (await Promise.all(calls)).map(({ status }) => status),
      [200, 404],
    );
  });
});

/** The first `count` responses. */
async function takeFinished(calls: readonly Promise<Answer>[], count: number): Promise<Answer[]> {
  const finished: Answer[] = [];
  for (const call of calls) void call.then((answer) => finished.push(answer));
  await waitUntil(`${count} answers`, () => finished.length >= count);
  return finished;
}

describe('lists and searches of the dashboard', () => {
  const LISTS = {
    'requests?q=nothing': 'request_blocks',
    [`requests/${randomUUID()}`]: 'request_blocks',
    events: 'feed_events',
    deliveries: 'webhook_deliveries, webhooks',
    'search?q=nothing': 'webhooks',
    audit: 'audit_log',
  };

  for (const [path, tables] of Object.entries(LISTS))
    it(`${path.split('?', 1)[0]}: at most two of ${CALLS} run at once`, async () => {
      const { cookie } = await createMember(service, busy.name, 'viewer');
      const member = memberApi(service, cookie);
      const url = path === 'audit' ? '/dashboard/api/audit' : `/dashboard/api/live/${path}`;
      let calls: Promise<Answer>[] = [];
      await whileLocked([`lock table ${tables} in access exclusive mode`], async () => {
        calls = Array.from({ length: CALLS }, () => member.get(url));
        await delay(500); // for more of them to start, if they could
        const waiting = await countWaiting();
        assert.ok(waiting >= 1 && waiting <= 3, `${waiting} wait`); // one of them can be the writer of the log
        assert.equal((await readAsOther()).status, 200);
      });
      await Promise.all(calls);
    });

  it('a search through the whole log of requests does not hold up a large read of another account', async () => {
    const { services } = service.running;
    const call = { method: 'GET', route: '/', path: '/', status: 200, error: null, ms: 1, bytes: null, agent: null };
    const credential = { credential_kind: 'api_key', credential_id: randomUUID(), user_id: null } as const;
    const tenant = { account_id: busy.id, environment: 'live' };
    for (let block = 0; block < 30; block += 1) {
      const batch = startBatch();
      for (let number = 0; number < 1_000; number += 1)
        addToBatch(batch, { ...tenant, ...call, ...credential, id: `req_${block}x${number}`, at: Date.now() });
      await insertBlocks(services.db, listNewBlocks(batch));
    }
    const { cookie } = await createMember(service, busy.name, 'viewer');
    const path = '/dashboard/api/live/requests?q=nothing';
    let finished = 0;
    const searches = Array.from({ length: CALLS }, async () => {
      const { status } = await memberApi(service, cookie).get(path);
      finished += 1;
      return status;
    });
    assert.equal((await readerApi.get('/v1/users')).status, 200);
    assert.ok(finished < CALLS / 2, `${finished} searches ended before`);
    assert.deepEqual(new Set(await Promise.all(searches)), new Set([200]));
  });
});

describe('every route of an account', () => {
  const takesKey = ({ access }: Route) => access.to === 'api_key' || access.to === 'api_key_or_own_user';
  const routes = publicRoutes.filter(takesKey);

  /** As in every-route.test.ts: a call that would succeed. */
  function callRoute(api: TestApi, route: Route, userId: string): Promise<Answer> {
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => (name === 'user_id' ? userId : randomUUID()));
    const { body, query, headers } = dialectOf(route, 1);
    const required = query ? (sampleValue(query, { metrics: 'steps', metric: 'steps' }) as Record<string, string>) : {};
    const search = new URLSearchParams({ ...required }).toString();
    return api.call(route.method, search === '' ? path : `${path}?${search}`, {
      headers: { 'api-form': '1', ...Object.fromEntries(headers.map((name) => [name, randomUUID()])) },
      ...(body ? { body: sampleValue(body, { user_id: userId }) } : {}),
    });
  }

  it(`leaves a connection for other accounts while ${CALLS} of its calls are blocked by table locks`, async () => {
    const api = service.api(busy.live);
    const { rows } = await blocker.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> all($1::text[])`,
      [[...TABLES_OF_READER, ...TABLES_OF_ALL]],
    );
    const locks = [
      `lock table ${rows.map(({ name }) => name).join()} in access exclusive mode`,
      onRows('users', ofBusy),
      onRows('account_environments', ofBusy),
    ];
    let heldUp = 0;
    for (const route of routes) {
      const { id } = await createUser(api);
      const name = `${route.method} ${route.path}`;
      let calls: Promise<Answer>[] = [];
      await whileLocked(locks, async () => {
        calls = Array.from({ length: CALLS }, () => callRoute(api, route, id));
        const waiting = await awaitHeldUp(calls);
        if (waiting > 0) heldUp += 1;
        assert.equal((await readAsOther()).status, 200, name);
      });
      for (const { status, text } of await Promise.all(calls)) assert.ok(status < 500, `${name}: ${text}`);
    }
    assert.ok(heldUp > routes.length / 2, `only ${heldUp} of ${routes.length} routes were blocked`);
  });
});
