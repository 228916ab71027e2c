import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import { parseRetryAfter } from './retry-after.ts';

const NOW = new Date('2026-03-01T12:00:00Z');

describe('Retry-After', () => {
  it('accepts seconds or a date', () => {
    assert.equal(parseRetryAfter('120', NOW), 2 * MINUTE_MS);
    assert.equal(parseRetryAfter(' 0 ', NOW), 0);
    assert.equal(parseRetryAfter('Sun, 01 Mar 2026 12:01:00 GMT', NOW), MINUTE_MS);
    assert.equal(parseRetryAfter('Sun, 01 Mar 2026 11:00:00 GMT', NOW), 0);
  });

  it('is at most a day', () => {
    for (const text of ['86401', '99999999999', '9'.repeat(400), 'Tue, 03 Mar 2026 12:00:00 GMT'])
      assert.equal(parseRetryAfter(text, NOW), DAY_MS, text);
    assert.equal(parseRetryAfter('Fri, 31 Dec 9999 23:59:59 GMT', NOW), DAY_MS);
  });

  it('is ignored if it is neither', () => {
    const others = [
      '',
      'soon',
      '-5',
      '+5',
      '1.5',
      '1e3',
      '0x10',
      '5 s',
      '1, 2',
      'Xyz, 99 Foo',
      '2026-03-01',
      'March 2, 2026',
    ];
    for (const text of [
      ...others,
      '2026-03-01T12:05:00Z',
      'Sun, 01 Mar 2026 12:05:00 +0200',
      'Sun, 01 Mar 2026 25:05:00 GMT',
      'Sunday, 01-Mar-26 12:05:00 GMT',
      'Sun Mar  1 12:05:00 2026',
    ])
      assert.equal(parseRetryAfter(text, NOW), null, text);
    assert.equal(parseRetryAfter(undefined, NOW), null);
  });
});
