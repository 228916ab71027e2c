import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LoggedRequest } from './logged-request.ts';
import { addToBatch, listNewBlocks, MAX_BLOCK_CALLS, startBatch } from './request-batch.ts';
import { findCalls } from './request-filter.ts';

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

function batchOf(calls: readonly LoggedRequest[]) {
  const batch = startBatch();
  for (const one of calls) addToBatch(batch, one);
  assert.equal(batch.size, calls.length);
  return listNewBlocks(batch);
}

describe('a batch of calls', () => {
  it('is a block per environment, from which every call can be read with its position', () => {
    const failed = { status: 404, error: 'not_found', at: 7, user_id: null, agent: 'acme/1' };
    const other = call('d', { environment: 'sandbox' });
    const slow = call('c', { at: 3, ms: 600.25, bytes: 5, route: '/v1/users', credential_id: 'other' });
    const calls = [
      call('a'),
      call('b', failed),
      slow,
      other,
      call('e', { user_id: 'a', path: '/v1/users/{id}?page=a' }),
    ];
    const [live, sandbox, ...others] = batchOf(calls);
    assert.ok(live && sandbox);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [live.positions, live.size, live.first_at, live.last_at, live.failures, live.max_ms, live.users],
      [4, 4, 1, 7, 1, 600.25, ['a', 'c']],
    );
    assert.deepEqual(live.routes, ['/v1/users/:user_id', '/v1/users']);
    assert.deepEqual(live.calls[0]?.paths, ['/v1/users/{id}?page=a']);
    const found = findCalls(JSON.parse(JSON.stringify({ ...live, seq: 2_048 })), {});
    const expected = calls.filter(({ environment }) => environment === 'live');
    assert.deepEqual(
      found,
      expected.map(({ account_id: _, environment: _e, ...rest }, place) => ({ ...rest, seq: 2_048 + place })),
    );
    assert.deepEqual([sandbox.environment, sandbox.size, sandbox.calls[0]?.ids], ['sandbox', 1, 'd']);
  });

  it('keeps calls apart that differ in any field that a group has once', () => {
    const { id: _, ...first } = call('a');
    for (const field of ['method', 'route', 'status', 'error', 'credential_kind', 'agent']) {
      const second = call('b', { [field]: field === 'status' ? 500 : 'another' });
      assert.equal(batchOf([{ id: 'a', ...first }, second])[0]?.calls.length, 2, field);
    }
  });

  it('starts another block when one is full', () => {
    const blocks = batchOf(Array.from({ length: MAX_BLOCK_CALLS + 1 }, (_, index) => call(String(index))));
    assert.deepEqual(
      blocks.map(({ size }) => size),
      [MAX_BLOCK_CALLS, 1],
    );
    assert.deepEqual(blocks[1]?.calls[0]?.place, [0]);
  });
});
