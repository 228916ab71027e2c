import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canRetry, DEFAULT_RETRIES, parseRetryAfter, retryDelayOf } from './retry.ts';

const LOST = { status: null, code: null, wasSent: true };

describe('canRetry', () => {
  it('repeats a call that may run twice after lost responses and temporary failures', () => {
    for (const status of [null, 408, 429, 500, 502, 503, 504])
      assert.ok(canRetry({ ...LOST, status }, true), String(status));
    for (const status of [400, 401, 404, 409, 422]) assert.ok(!canRetry({ ...LOST, status }, true), String(status));
  });

  it('repeats any other call only if the service did nothing', () => {
    assert.ok(canRetry({ status: 429, code: 'rate_limited', wasSent: true }, false));
    assert.ok(canRetry({ status: 503, code: 'overloaded', wasSent: true }, false));
    assert.ok(canRetry({ ...LOST, wasSent: false }, false));
    assert.ok(!canRetry({ status: 503, code: 'unavailable', wasSent: true }, false));
    assert.ok(!canRetry({ status: 500, code: 'internal', wasSent: true }, false));
    assert.ok(!canRetry(LOST, false));
  });
});

describe('retryDelayOf', () => {
  const at = (attempt: number, random: number, retryAfterMs = 0) =>
    retryDelayOf(DEFAULT_RETRIES, { attempt, retryAfterMs }, () => random);

  it('is anywhere between 0 and a limit that doubles', () => {
    assert.deepEqual([at(1, 0), at(1, 1), at(2, 1), at(3, 1), at(20, 1)], [0, 500, 1_000, 2_000, 30_000]);
  });

  it('waits at least as long as the service asks', () => {
    assert.equal(at(1, 0, 7_000), 7_000);
    assert.equal(at(1, 0.5, 7_000), 7_250);
    assert.equal(at(1, 1, 30_000), 30_000);
    assert.equal(at(1, 1, 30_001), null);
  });
});

it('parseRetryAfter reads seconds and dates', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00Z');
  const cases: [string | null, number][] = [
    ['3', 3_000],
    ['Thu, 01 Jan 2026 00:00:09 GMT', 9_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', 0],
    [null, 0],
  ];
  for (const [header, expected] of cases) assert.equal(parseRetryAfter(header, nowMs), expected, String(header));
});
