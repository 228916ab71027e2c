// Tests the stored request log: lists across blocks, merging, erasure and retention.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { createTestUser } from '../../../../test/support/test-samples.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { Database } from '../../../platform/db/database.ts';
import { AppError, isUnavailable } from '../../../platform/errors.ts';
import type { ObservedRequest } from '../../../platform/http/observed-request.ts';
import { createLogger } from '../../../platform/log.ts';
import type { UserHandle } from '../user-core/index.ts';
import { listRequests, readLatency } from './list-requests.ts';
import type { LoggedRequest } from './logged-request.ts';
import { mergeBlocks, planRuns } from './merge-blocks.ts';
import { removeRequests } from './remove-requests.ts';
import { addToBatch, listNewBlocks, startBatch } from './request-batch.ts';
import type { RequestFilter } from './request-filter.ts';
import { createRequestLog } from './request-log.ts';
import { insertBlocks, readLastRequest, removeOldBlocks } from './store.ts';

const db = await openTestDatabase({ after });
const NOON = Date.UTC(2026, 2, 1, 12);

const call = (user: UserHandle, number: number, part: Partial<LoggedRequest> = {}): LoggedRequest => ({
  account_id: user.tenant.accountId,
  environment: user.tenant.environment,
  id: `req_${user.userId.slice(-8)}${number}`,
  at: NOON + number * 1_000,
  method: number % 2 === 0 ? 'GET' : 'POST',
  route: number % 3 === 0 ? '/v1/users' : '/v1/users/:user_id',
  path: `/v1/users/{id}?page=${number}`,
  status: number % 5 === 0 ? 404 : number % 7 === 0 ? 500 : 200,
  error: number % 5 === 0 ? 'not_found' : null,
  ms: number % 11 === 0 ? 700 : number,
  bytes: number,
  credential_kind: 'api_key',
  credential_id: `key ${number % 4}`,
  user_id: number % 6 === 0 ? user.userId : null,
  agent: number % 8 === 0 ? 'Acme/1' : null,
  ...part,
});

/** Each list is one block. */
async function write(blocks: readonly (readonly LoggedRequest[])[]): Promise<void> {
  for (const calls of blocks) {
    const batch = startBatch();
    for (const one of calls) addToBatch(batch, one);
    await insertBlocks(db, listNewBlocks(batch));
  }
}

const SIZES = [1, 3, 1, 1, 40, 2, 1, 1, 1, 7];

/** 300 calls in blocks of many sizes, oldest first. */
async function fill(user: UserHandle, part: (number: number) => Partial<LoggedRequest> = () => ({})) {
  const calls = Array.from({ length: 300 }, (_, number) => call(user, number, part(number)));
  const blocks: LoggedRequest[][] = [];
  for (let start = 0; start < calls.length; start += blocks.at(-1)?.length ?? 1)
    blocks.push(calls.slice(start, start + (SIZES[blocks.length % SIZES.length] ?? 1)));
  await write(blocks);
  return calls;
}

/** Walks the pages from the newest to the oldest; `between` runs after each page. */
async function walk(
  { tenant }: UserHandle,
  filter: Omit<RequestFilter, 'limit'>,
  limit: number,
  between: (page: number) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const ids: string[] = [];
  let before: number | null = null;
  for (let page = 0; ; page += 1) {
    const entries = await listRequests(db, tenant, { ...filter, before, limit });
    ids.push(...entries.map(({ id }) => id));
    if (entries.length < limit) return ids;
    before = entries.at(-1)?.seq ?? null;
    await between(page);
  }
}

const oneBlock = (one: LoggedRequest) => {
  const batch = startBatch();
  addToBatch(batch, one);
  return listNewBlocks(batch);
};

/** A process that commits when it is released. */
function holdBeforeCommit() {
  const [inserted, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const asyncCommitTransaction: Database['asyncCommitTransaction'] = (work) =>
    db.asyncCommitTransaction(async (tx) => {
      const result = await work(tx);
      inserted.resolve();
      await released.promise;
      return result;
    });
  return { db: { ...db, asyncCommitTransaction }, inserted: inserted.promise, release: released.resolve };
}

describe('a reader that goes by position', () => {
  it('misses no block of a process that commits late', async () => {
    const user = await createTestUser(db);
    const { db: slow, inserted, release } = holdBeforeCommit();
    const late = insertBlocks(slow, oneBlock(call(user, 1)));
    await inserted;
    let isWritten = false;
    const next = insertBlocks(db, oneBlock(call(user, 2))).then(() => {
      isWritten = true;
    });
    await waitUntil('the second process to write or to wait', async () => isWritten || (await countWaiting()) > 0);
    const seen = await listRequests(db, user.tenant, { after: 0, limit: 10 });
    release();
    await Promise.all([late, next]);
    const after = seen.at(-1)?.seq ?? 0;
    const rest = await listRequests(db, user.tenant, { after, limit: 10 });
    assert.deepEqual(
      [...seen, ...rest].map(({ id }) => id),
      [1, 2].map((number) => call(user, number).id),
    );
  });
});

describe('writing', () => {
  it('does not wait for a process that froze while it wrote', async () => {
    const user = await createTestUser(db);
    const { db: frozen, inserted, release } = holdBeforeCommit();
    const late = assert.rejects(insertBlocks(frozen, oneBlock(call(user, 1))), isUnavailable);
    await inserted;
    try {
      await insertBlocks(db, oneBlock(call(user, 2)));
    } finally {
      release();
    }
    await late;
  });

  it('is repeated after an outage, in order, with the calls that came meanwhile and none beyond the limit', async () => {
    const user = await createTestUser(db);
    let isAway = true;
    const away: Database = {
      ...db,
      asyncCommitTransaction: async (work) => {
        if (!isAway) return db.asyncCommitTransaction(work);
        for (let number = 2_000; number < 12_000; number += 1) requestLog.record(observed(user, number));
        throw new AppError('unavailable');
      },
    };
    const { requestLog, countDropped } = startLog(away);
    for (let number = 0; number < 2_000; number += 1) requestLog.record(observed(user, number));
    await assert.rejects(requestLog.flush());
    assert.equal(countDropped(), 2_000);
    isAway = false;
    await requestLog.flush();
    const logged = await listRequests(db, user.tenant, { after: 0, limit: 20_000 });
    assert.deepEqual(
      logged.map(({ id }) => id),
      Array.from({ length: 10_000 }, (_, number) => `req_${number}`),
    );
  });

  it('drops calls that the database refuses, so that later ones are written', async () => {
    const user = await createTestUser(db);
    const { requestLog, countDropped } = startLog({
      ...db,
      asyncCommitTransaction: async () => Promise.reject(new Error('invalid input')),
    });
    requestLog.record(observed(user, 1));
    await assert.rejects(requestLog.flush());
    await requestLog.flush();
    assert.equal(countDropped(), 1);
  });
});

function startLog(database: Database) {
  let dropped = 0;
  const requestLog = createRequestLog({
    db: database,
    clock: { now: () => new Date(NOON), monotonicMs: () => 0 },
    log: createLogger('silent'),
    usage: { count: () => undefined },
    metrics: {
      countDroppedRequests(requests) {
        dropped += requests;
      },
    },
  });
  return { requestLog, countDropped: () => dropped };
}

const observed = ({ tenant }: UserHandle, number: number): ObservedRequest => ({
  id: `req_${number}`,
  method: 'GET',
  route: '/v1/users',
  url: '/v1/users',
  status: 200,
  error: null,
  ms: 1,
  bytes: 1,
  caller: { kind: 'api_key', keyId: 'key', tenant, billing: 'active', defaultForm: 1 },
  pathUserId: undefined,
  healthDataOf: 'nobody',
  agent: undefined,
});

const countWaiting = async () =>
  (
    await db.query(
      `select 1 as waits from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length;

const countBlocks = async ({ tenant }: UserHandle) =>
  (
    await db.query<{ n: number }>(
      'select count(*)::int as n from request_blocks where account_id = $1 and environment = $2',
      [tenant.accountId, tenant.environment],
    )
  )[0]?.n ?? 0;

type Wanted = readonly [filter: Omit<RequestFilter, 'limit'>, keeps: (one: LoggedRequest) => boolean];

describe('the list of the request log', () => {
  it('has every matching call once, in order, whatever the filter and the size of the page', async () => {
    const user = await createTestUser(db);
    const { userId } = user;
    const calls = await fill(user);
    const lonely = calls[4] ?? assert.fail();
    const filters: readonly Wanted[] = [
      [{}, () => true],
      [{ outcome: 'failed' }, ({ status }) => status >= 400],
      [{ outcome: 'slow' }, ({ ms }) => ms >= 500],
      [{ statusClass: '2xx' }, ({ status }) => status < 300],
      [{ statusClass: '4xx' }, ({ status }) => status === 404],
      [{ statusClass: '5xx' }, ({ status }) => status === 500],
      [{ statusClass: '2xx', method: 'POST' }, ({ status, method }) => status < 300 && method === 'POST'],
      [{ route: '/v1/users' }, ({ route }) => route === '/v1/users'],
      [{ userId }, ({ user_id }) => user_id === userId],
      [{ keyId: 'key 3' }, ({ credential_id }) => credential_id === 'key 3'],
      [{ error: 'not_found' }, ({ error }) => error === 'not_found'],
      [{ text: 'ACME' }, ({ agent }) => agent !== null],
      [{ text: 'page=29' }, ({ path }) => path.includes('page=29')],
      [{ id: lonely.id }, ({ id }) => id === lonely.id],
      [{ text: 'nothing' }, () => false],
      [{ route: '/v1/nothing' }, () => false],
      [{ userId: randomUUID() }, () => false],
    ];
    for (const [filter, keeps] of filters) {
      const expected = calls.filter(keeps).map(({ id }) => id);
      for (const limit of [7, 1_000])
        assert.deepEqual(await walk(user, filter, limit), expected.toReversed(), JSON.stringify({ filter, limit }));
      const forward = await listRequests(db, user.tenant, { ...filter, after: 0, limit: 1_000 });
      assert.deepEqual(
        forward.map(({ id }) => id),
        expected,
      );
    }
  });

  it('continues after a position, and ends with the newest call', async () => {
    const user = await createTestUser(db);
    const calls = await fill(user);
    const all = await listRequests(db, user.tenant, { limit: 1_000 });
    assert.equal(all[0]?.seq, await readLastRequest(db, user.tenant));
    for (const index of [0, 1, 5, 150, 299]) {
      const rest = await listRequests(db, user.tenant, { after: all.at(-1 - index)?.seq ?? 0, limit: 1_000 });
      assert.deepEqual(
        rest.map(({ id }) => id),
        calls.slice(index + 1).map(({ id }) => id),
      );
    }
  });

  it('returns the fields of a call, and the reference of its user', async () => {
    const user = await createTestUser(db);
    await db.query(`update users set reference_id = 'ada' where id = $1`, [user.userId]);
    await write([[call(user, 6, { ms: 1.234, bytes: null })]]);
    const [entry] = await listRequests(db, user.tenant, { limit: 1 });
    const { seq: _, ...fields } = entry ?? assert.fail();
    assert.deepEqual(fields, {
      id: `req_${user.userId.slice(-8)}6`,
      at: new Date(NOON + 6_000),
      method: 'GET',
      route: '/v1/users',
      path: '/v1/users/{id}?page=6',
      status: 200,
      error: null,
      ms: 1.23,
      bytes: null,
      credentialKind: 'api_key',
      credentialId: 'key 2',
      userId: user.userId,
      referenceId: 'ada',
      agent: null,
    });
  });

  it('names a user of the same environment only', async () => {
    const [user, other] = [await createTestUser(db), await createTestUser(db)];
    await write([[call(user, 1, { user_id: other.userId }), call(user, 2, { user_id: user.userId })]]);
    const found = await listRequests(db, user.tenant, { limit: 2 });
    assert.deepEqual(
      found.map(({ userId }) => userId),
      [user.userId, null],
    );
  });

  it('has the latency of the newest calls', async () => {
    const user = await createTestUser(db);
    assert.equal(await readLatency(db, user.tenant), null);
    await fill(user, (number) => ({ ms: number + 1 }));
    assert.deepEqual(await readLatency(db, user.tenant), { p50: 150, p95: 285 });
  });
});

describe('merging blocks', () => {
  it('keeps every call and its position, also between the pages of a list', async () => {
    const user = await createTestUser(db);
    const calls = await fill(user);
    const positions = async () =>
      (await listRequests(db, user.tenant, { limit: 1_000 })).map(({ id, seq }) => [id, seq]);
    const before = await positions();
    const blocks = await countBlocks(user);
    const found = await walk(user, {}, 7, async (page) => {
      if (page === 20) await mergeBlocks(db, user.tenant, NOON + HOUR_MS);
    });
    assert.ok(blocks > 40);
    assert.equal(await countBlocks(user), 1);
    assert.deepEqual(found, calls.map(({ id }) => id).toReversed());
    assert.deepEqual(await positions(), before);
    const middle = before[150]?.[1];
    const later = await listRequests(db, user.tenant, { after: Number(middle), limit: 1_000 });
    assert.equal(later.length, 150);
    assert.equal(await readLastRequest(db, user.tenant), before[0]?.[1]);
  });

  it('leaves the present hour and full blocks alone, and does nothing twice', async () => {
    const user = await createTestUser(db);
    const hour = (start: number) => (number: number) => ({ at: start + number });
    await fill(user, hour(NOON));
    const earlier = await countBlocks(user);
    await fill(user, hour(NOON + HOUR_MS));
    const all = await countBlocks(user);
    for (let run = 0; run < 2; run += 1) {
      await mergeBlocks(db, user.tenant, NOON + HOUR_MS);
      assert.equal(await countBlocks(user), all - earlier + 1);
    }
    await mergeBlocks(db, user.tenant, NOON + 2 * HOUR_MS);
    assert.equal(await countBlocks(user), 2);
  });

  it('joins neighbours of one hour up to the size of a block', () => {
    const block = (seq: number, size: number, at: number) => ({ seq, size, lastAt: new Date(at) });
    const blocks = [
      block(1, 400, NOON),
      block(2, 600, NOON + 1),
      block(3, 1, NOON + 2),
      block(4, 1, NOON + HOUR_MS),
      block(5, 1, NOON + 2 * HOUR_MS),
      block(6, 1, NOON + 1),
    ];
    assert.deepEqual(planRuns(blocks, NOON + 2 * HOUR_MS), [[1, 2], [3], [4]]);
  });
});

describe('the erasure of a user', () => {
  it('removes its calls and keeps the positions of the others, before and after merging', async () => {
    for (const isMerged of [false, true]) {
      const user = await createTestUser(db);
      const calls = await fill(user, (number) => (number % 6 === 0 ? { credential_id: `secret ${number}` } : {}));
      if (isMerged) await mergeBlocks(db, user.tenant, NOON + HOUR_MS);
      const before = await listRequests(db, user.tenant, { limit: 1_000 });
      while (await db.transaction((tx) => removeRequests(tx, user)));
      const rest = await listRequests(db, user.tenant, { limit: 1_000 });
      assert.deepEqual(
        rest,
        before.filter(({ userId }) => userId !== user.userId),
      );
      assert.equal(rest.length, calls.length - 50);
      const texts = await db.query<{ text: string }>(
        'select b::text as text from request_blocks b where account_id = $1',
        [user.tenant.accountId],
      );
      assert.ok(texts.length > 0);
      for (const { text } of texts) assert.ok(!text.includes(user.userId) && !text.includes('secret'));
    }
  });

  it('and merging wait for each other', async () => {
    const user = await createTestUser(db);
    await fill(user);
    let merging = Promise.resolve();
    await db.transaction(async (tx) => {
      while (await removeRequests(tx, user));
      merging = mergeBlocks(db, user.tenant, NOON + HOUR_MS);
      await waitUntil('merging waits', async () => {
        const rows = await db.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`);
        return rows.length > 0;
      });
    });
    await merging;
    const rest = await listRequests(db, user.tenant, { limit: 1_000 });
    assert.deepEqual([rest.length, await countBlocks(user)], [250, 1]);
  });

  it('is not undone by calls that are written later', async () => {
    const user = await createTestUser(db);
    await db.query(`update users set status = 'deleting' where id = $1`, [user.userId]);
    await write([[call(user, 6)]]);
    const [entry] = await listRequests(db, user.tenant, { limit: 1 });
    assert.deepEqual([entry?.id, entry?.userId], [call(user, 6).id, null]);
  });
});

describe('old calls', () => {
  it('are removed by age and beyond the number that is kept', async () => {
    const user = await createTestUser(db);
    await write(Array.from({ length: 10 }, (_, block) => [call(user, 2 * block), call(user, 2 * block + 1)]));
    const remove = (before: number, kept: number, limit = 100) =>
      removeOldBlocks(db, user.tenant, { before: new Date(before), kept, limit });
    assert.equal(await remove(NOON, 20), 0);
    assert.equal(await remove(NOON + 4_000, 20), 2);
    assert.equal(await remove(NOON, 8, 3), 3, 'at most the limit');
    assert.equal(await remove(NOON, 8), 1);
    const left = await listRequests(db, user.tenant, { limit: 100 });
    assert.deepEqual(
      left.map(({ bytes }) => bytes),
      [19, 18, 17, 16, 15, 14, 13, 12],
    );
  });
});
