import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { LoggedRequest } from './logged-request.ts';
import { addToBatch, startBatch } from './request-batch.ts';

const call = (id: string, part: Partial<LoggedRequest> = {}): LoggedRequest => ({
  account_id: 'account',
  environment: 'live',
  id,
  at: 1,
  method: 'GET',
  route: '/v1/users/:user_id',
  path: `/v1/users/{id}?page=${id}`,
  status: 200,
  error: null,
  ms: 2,
  bytes: null,
  credential_kind: 'api_key',
  credential_id: 'key',
  user_id: id,
  agent: null,
  ...part,
});

it('groups calls that differ in nothing but their own columns, and keeps the place of each', () => {
  const failed = { status: 404, error: 'not_found' };
  const batch = startBatch();
  for (const one of [call('a'), call('b', failed), call('c', { at: 3, ms: 4, bytes: 5 })]) addToBatch(batch, one);
  assert.equal(batch.size, 3);
  const groups = [...batch.groups.values()];
  assert.deepEqual(
    groups.map(({ status, error, place, id, user_id }) => ({ status, error, place, id, user_id })),
    [
      { status: 200, error: null, place: [0, 2], id: ['a', 'c'], user_id: ['a', 'c'] },
      { ...failed, place: [1], id: ['b'], user_id: ['b'] },
    ],
  );
  const { at, path, ms, bytes, credential_id } = groups[0] ?? assert.fail('no group');
  assert.deepEqual(
    [at, ms, bytes, credential_id],
    [
      [1, 3],
      [2, 4],
      [null, 5],
      ['key', 'key'],
    ],
  );
  assert.deepEqual(path, ['/v1/users/{id}?page=a', '/v1/users/{id}?page=c']);
});

it('keeps calls apart that differ in any column that a group has once', () => {
  const usual = call('a');
  const {
    id: _,
    at: _at,
    path: _path,
    ms: _ms,
    bytes: _bytes,
    credential_id: _credential,
    user_id: _user,
    ...common
  } = usual;
  const columns = Object.keys(common);
  assert.equal(columns.length, 8);
  for (const column of columns) {
    const batch = startBatch();
    addToBatch(batch, usual);
    addToBatch(batch, { ...usual, [column]: column === 'status' ? 500 : 'another' });
    assert.equal(batch.groups.size, 2, column);
  }
});
