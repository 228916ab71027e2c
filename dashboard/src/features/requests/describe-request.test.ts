import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiKey } from '../../shared/query/keys-query.ts';
import { barOf, describeBytes, describeCredential, shortPath, toneOf, writeCall } from './describe-request.ts';
import type { Request } from './queries.ts';
import { sumUsage } from './usage.ts';

const REQUEST: Request = {
  id: 'req_1',
  at: '2026-11-16T12:00:00Z',
  method: 'GET',
  route: '/v1/users/:user_id/daily',
  path: '/v1/users/{id}/daily?types=steps',
  status: 200,
  error: null,
  ms: 12,
  bytes: 900,
  credential: { kind: 'api_key', id: 'k1' },
  user_id: 'u1',
  reference_id: 'ada',
  agent: null,
};

describe('a request in words', () => {
  it('has the reference of the user in its path', () => {
    assert.equal(shortPath(REQUEST), '/users/{ada}/daily?types=steps');
    assert.equal(shortPath({ ...REQUEST, reference_id: null }), '/users/{id}/daily?types=steps');
    assert.equal(
      shortPath({ ...REQUEST, route: '/v1/webhooks/:webhook_id', path: '/v1/webhooks/{id}' }),
      '/webhooks/{id}',
    );
  });

  it('is a command with the id of the user and without the key', () => {
    assert.equal(
      writeCall(REQUEST, 'http://localhost:8080'),
      `curl 'http://localhost:8080/v1/users/u1/daily?types=steps' \\\n  -H "Authorization: Bearer $TRIBUTARY_API_KEY"`,
    );
    assert.match(writeCall({ ...REQUEST, method: 'POST' }, ''), /^curl -X POST .*Content-Type.*-d '…'$/s);
  });

  it('has a tone, a bar and a size', () => {
    assert.deepEqual([200, 404, 500].map(toneOf), ['good', 'warn', 'bad']);
    assert.deepEqual([0, 250, 1_000, 90_000].map(barOf), [0, 0.5, 1, 1]);
    assert.deepEqual([0, 12_400, 3_100_000, null].map(describeBytes), ['0 B', '12.4 kB', '3.1 MB', 'streamed']);
  });

  it('names its key while the key exists', () => {
    const keys = [{ id: 'k1', name: 'Backend', last_four: 'UZIM' }] as ApiKey[];
    assert.equal(describeCredential(REQUEST.credential, keys), 'Backend …UZIM');
    assert.equal(describeCredential(REQUEST.credential, []), 'an API key that has ended');
    assert.equal(describeCredential({ kind: 'user_token', id: null }, keys), 'user token');
  });
});

it('sums the counts of a day and places the ticks', () => {
  const series = {
    from: '2026-11-15T12:00:00.000Z',
    bucket_ms: 6 * 3_600_000,
    requests: { n: [1, 2, 3, 4], bad: [0, 1, 0, 0] },
  } as Parameters<typeof sumUsage>[0];
  const { n, bad, bars, ticks } = sumUsage(series);
  assert.deepEqual([n, bad, bars[1]], [10, 1, { at: '2026-11-15T18:00:00.000Z', n: 2, bad: 1 }]);
  assert.deepEqual([ticks[0], ticks.at(-1)], ['2026-11-15T12:00:00.000Z', '2026-11-16T12:00:00.000Z']);
});
