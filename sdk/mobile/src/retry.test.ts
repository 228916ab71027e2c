import assert from 'node:assert/strict';
import { it } from 'node:test';
import { utf8Length } from './gzip.ts';
import { DEFAULT_RETRY, parseRetryAfter, retryDelayMs } from './retry.ts';

it('grows the delay up to its maximum, and adds Retry-After', () => {
  const delays = [1, 2, 3, 20].map((failures) => retryDelayMs(DEFAULT_RETRY, failures, null, 0.5));
  assert.deepEqual(delays, [500, 1_000, 2_000, 150_000]);
  assert.equal(retryDelayMs(DEFAULT_RETRY, 1, 7_000, 0), 7_000);
  assert.equal(retryDelayMs(DEFAULT_RETRY, 1, 86_400_000, 0), 3_600_000);
});

it('reads Retry-After by the clock of the server', () => {
  assert.equal(parseRetryAfter('120', null, 0), 120_000);
  assert.equal(parseRetryAfter('Mon, 02 Mar 2026 06:00:30 GMT', 'Mon, 02 Mar 2026 06:00:00 GMT', 0), 30_000);
  assert.equal(parseRetryAfter('soon', null, 0), null);
  assert.equal(parseRetryAfter(null, null, 0), null);
});

it('counts bytes as UTF-8', () => {
  for (const text of ['', 'a', 'é', '→', '🙂', 'a🙂é→'])
    assert.equal(utf8Length(text), new TextEncoder().encode(text).length, text);
});
