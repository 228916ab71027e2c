// Tests lists of users: order, filters, pages by number and by cursor.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { JsonBody, TestApi } from '../support/test-api.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser, newReference } from '../support/test-users.ts';

const service = await startTestService();
after(() => service.stop());

/** A separate account with that many users, newest first. */
async function accountWith(count: number): Promise<{ api: TestApi; sandbox: TestApi; users: JsonBody[] }> {
  const account = await createAccount(service);
  const api = service.api(account.live);
  const users: JsonBody[] = [];
  for (let index = 0; index < count; index += 1) users.unshift(await createUser(api));
  return { api, sandbox: service.api(account.sandbox), users };
}

const ids = (rows: JsonBody[]): string[] => rows.map((row) => row.id);

describe('GET /v1/users, Form 1', () => {
  it('200 newest first, page by page, with the total', async () => {
    const { api, users } = await accountWith(7);
    const pages = [1, 2, 3, 4].map((page) => api.get(`/v1/users?page=${page}&per_page=3`));
    const answers = await Promise.all(pages);
    assert.deepEqual(
      answers.map((answer) => ids(answer.body.data)),
      [ids(users.slice(0, 3)), ids(users.slice(3, 6)), ids(users.slice(6)), []],
    );
    for (const [index, answer] of answers.entries())
      assert.deepEqual(answer.body.meta, { page: index + 1, per_page: 3, total: 7 });
    assert.deepEqual(Object.keys(answers[0]?.body), ['data', 'meta']);
  });

  it('200 with page 1 and 20 users per page by default', async () => {
    const { api, users } = await accountWith(21);
    const { body } = await api.get('/v1/users', { headers: { 'api-form': '1' } });
    assert.deepEqual(ids(body.data), ids(users.slice(0, 20)));
    assert.deepEqual(body.meta, { page: 1, per_page: 20, total: 21 });
    const { devices: _devices, sync: _sync, ...alone } = (await api.get(`/v1/users/${users[0].id}`)).body.data;
    assert.deepEqual(body.data[0], alone);
  });

  it('200 with an empty page for an empty account', async () => {
    const { api } = await accountWith(0);
    assert.deepEqual((await api.get('/v1/users?page=1')).body, { data: [], meta: { page: 1, per_page: 20, total: 0 } });
  });

  it('200 reference_id matches exactly', async () => {
    const { api, users } = await accountWith(2);
    const [wanted] = users;
    const found = await api.get(`/v1/users?reference_id=${encodeURIComponent(wanted.external_ref)}`);
    assert.deepEqual(ids(found.body.data), [wanted.id]);
    assert.deepEqual(found.body.meta, { page: 1, per_page: 20, total: 1 });
    const beyond = await api.get(`/v1/users?reference_id=${wanted.external_ref}&page=2`);
    assert.deepEqual(beyond.body, { data: [], meta: { page: 2, per_page: 20, total: 1 } });
    for (const near of [
      wanted.external_ref.toUpperCase(),
      wanted.external_ref.slice(0, -1),
      `${wanted.external_ref}%`,
      '%',
      '_'.repeat(40),
    ])
      assert.deepEqual((await api.get(`/v1/users?reference_id=${encodeURIComponent(near)}`)).body.data, []);
  });

  it('400 invalid_parameter for page and per_page out of bounds', async () => {
    const { api } = await accountWith(0);
    for (const query of [
      'page=0',
      'page=-1',
      'page=1.5',
      'page=x',
      'page=',
      'page=1e3',
      'page=99999999999999999999',
      'per_page=0',
      'per_page=101',
      'per_page=ten',
      'reference_id=',
      `reference_id=${'x'.repeat(256)}`,
    ]) {
      const answer = await api.get(`/v1/users?${query}`);
      assert.equal(answer.status, 400, query);
      assert.equal(answer.body.error, 'invalid_parameter');
      assert.equal(answer.body.details.issues[0].path, query.split('=')[0]);
    }
    for (const query of ['page=1', 'page=1000000', 'per_page=1', 'per_page=100'])
      assert.equal((await api.get(`/v1/users?${query}`)).status, 200);
  });
});

describe('GET /v1/users, Form 2', () => {
  it('200 newest first by cursor, null at the end', async () => {
    const { api, users } = await accountWith(5);
    const first = await api.get('/v1/users?limit=2');
    assert.deepEqual(Object.keys(first.body), ['data', 'next_cursor']);
    const second = await api.get(`/v1/users?limit=2&cursor=${first.body.next_cursor}`);
    const third = await api.get(`/v1/users?limit=1&cursor=${second.body.next_cursor}`);
    assert.deepEqual(
      [first, second, third].map((answer) => ids(answer.body.data)),
      [ids(users.slice(0, 2)), ids(users.slice(2, 4)), ids(users.slice(4))],
    );
    assert.equal(third.body.next_cursor, null);
  });

  it('200 with 50 rows by default; a full last page ends the list', async () => {
    const { api, users } = await accountWith(51);
    const headers = { 'api-form': '2' };
    const first = await api.get('/v1/users', { headers });
    assert.deepEqual(ids(first.body.data), ids(users.slice(0, 50)));
    const rest = await api.get(`/v1/users?limit=1&cursor=${first.body.next_cursor}`);
    assert.deepEqual(ids(rest.body.data), ids(users.slice(50)));
    assert.equal(rest.body.next_cursor, null);
  });

  it('200 both forms list the same rows in the same order', async () => {
    const { api } = await accountWith(4);
    const [one, two] = [await api.get('/v1/users?page=1'), await api.get('/v1/users?limit=20')];
    assert.deepEqual(
      one.body.data.map(({ reference_id, ...rest }: JsonBody) => ({ ...rest, external_ref: reference_id })),
      two.body.data.map(({ external_ref, ...rest }: JsonBody) => ({ ...rest, external_ref })),
    );
  });

  it('200 lists users with equal creation times once, ordered by id', async () => {
    const { api, users } = await accountWith(12);
    await service.running.services.db.query(
      `update users set created_at = '2026-01-01T00:00:00.123Z' where id = any($1)`,
      [ids(users)],
    );
    assert.deepEqual(await walk(api, 5), ids(users).sort().reverse());
  });

  it('200 external_ref matches exactly', async () => {
    const { api, users } = await accountWith(2);
    const found = await api.get(`/v1/users?external_ref=${users[1].external_ref}`);
    assert.deepEqual(ids(found.body.data), [users[1].id]);
    assert.equal(found.body.next_cursor, null);
    assert.deepEqual((await api.get('/v1/users?external_ref=nobody')).body, { data: [], next_cursor: null });
  });

  it('200 a walk returns every remaining row exactly once while rows are added and deleted', async () => {
    const { api, users } = await accountWith(60);
    const leaving = users.filter((_, index) => index % 3 === 1);
    const staying = users.filter((_, index) => index % 3 !== 1);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: JsonBody = (await api.get(`/v1/users?limit=7${cursor === null ? '' : `&cursor=${cursor}`}`)).body;
      seen.push(...ids(page.data));
      cursor = page.next_cursor;
      await Promise.all([
        createUser(api),
        createUser(api),
        ...leaving.splice(0, 4).map(({ id }) => api.delete(`/v1/users/${id}`)),
      ]);
      // The row of the cursor may be the one that is deleted.
      if (leaving.some(({ id }) => id === seen.at(-1))) await api.delete(`/v1/users/${seen.at(-1)}`);
    } while (cursor !== null);
    assert.equal(new Set(seen).size, seen.length, 'no row twice');
    assert.deepEqual(
      seen.filter((id) => ids(staying).includes(id)),
      ids(staying),
    );
  });

  it('400 invalid_cursor for a damaged cursor', async () => {
    const { api } = await accountWith(2);
    const cursor: string = (await api.get('/v1/users?limit=1')).body.next_cursor;
    const damaged = [
      ...Array.from(
        cursor,
        (character, index) => cursor.slice(0, index) + (character === 'A' ? 'B' : 'A') + cursor.slice(index + 1),
      ),
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}.`,
      'x',
      Buffer.from('["2026-01-01",1]').toString('base64url'),
    ];
    for (const text of damaged) {
      const answer = await api.get(`/v1/users?limit=1&cursor=${encodeURIComponent(text)}`);
      assert.equal(answer.status, 400, text);
      assert.equal(answer.body.error, 'invalid_cursor', text);
    }
    assert.equal((await api.get(`/v1/users?limit=1&cursor=${cursor}`)).status, 200);
  });

  it('400 invalid_cursor for a cursor of another account, environment or filter', async () => {
    const { api, sandbox } = await accountWith(2);
    const { api: other } = await accountWith(1);
    const cursor: string = (await api.get('/v1/users?limit=1')).body.next_cursor;
    for (const answer of [
      await other.get(`/v1/users?cursor=${cursor}`),
      await sandbox.get(`/v1/users?cursor=${cursor}`),
      await api.get(`/v1/users?cursor=${cursor}&external_ref=${newReference()}`),
    ]) {
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error, 'invalid_cursor');
    }
  });

  it('400 invalid_parameter for limit, cursor and external_ref out of bounds', async () => {
    const { api } = await accountWith(0);
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=-5',
      'limit=5.5',
      'limit=',
      'limit=all',
      'limit=%2B5',
      'cursor=',
      `cursor=${'x'.repeat(1001)}`,
      'external_ref=',
    ]) {
      const answer = await api.get(`/v1/users?${query}`);
      assert.equal(answer.status, 400, query);
      assert.equal(answer.body.error, 'invalid_parameter', query);
    }
    for (const query of ['limit=1', 'limit=100']) assert.equal((await api.get(`/v1/users?${query}`)).status, 200);
  });
});

async function walk(api: TestApi, limit: number): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: JsonBody = (await api.get(`/v1/users?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`))
      .body;
    seen.push(...ids(page.data));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return seen;
}
