import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isSameSecret } from './is-same-secret.ts';

describe('isSameSecret', () => {
  it('accepts the same text or bytes only', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (one, other) => {
        assert.equal(isSameSecret(one, one), true);
        assert.equal(isSameSecret(one, other), one === other);
        assert.equal(isSameSecret(one, one + other), other === '');
      }),
    );
    assert.equal(isSameSecret(Buffer.from([1, 2, 3]), Uint8Array.of(1, 2, 3)), true);
    assert.equal(isSameSecret(Buffer.from([1, 2, 3]), Uint8Array.of(1, 2)), false);
    assert.equal(isSameSecret(Buffer.from([1, 2, 3]).subarray(1), Uint8Array.of(2, 3)), true);
  });

  it('accepts nothing for an empty secret', () => {
    for (const expected of ['', Buffer.alloc(0)])
      for (const sent of ['', Buffer.alloc(0), 'secret']) assert.equal(isSameSecret(expected, sent), false);
  });
});
