import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { encodeBase62 } from './base62.ts';
import { hashToken, isWellFormedToken, mintToken } from './opaque-token.ts';

const PREFIX = 'sk_live_';

describe('mintToken', () => {
  it('has its prefix, 43 characters of secret and 6 of checksum, and is never the same', () => {
    const tokens = Array.from({ length: 500 }, () => mintToken(PREFIX));
    for (const token of tokens) {
      assert.match(token, /^sk_live_[0-9A-Za-z]{49}$/);
      assert.ok(isWellFormedToken(PREFIX, token));
    }
    assert.equal(new Set(tokens).size, 500);
  });
});

describe('isWellFormedToken', () => {
  it('rejects any changed character', () => {
    const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    fc.assert(
      fc.property(fc.nat(48), fc.nat(60), (context, shift) => {
        const token = mintToken(PREFIX);
        const at = PREFIX.length + context;
        const changed = characters.charAt((characters.indexOf(token.charAt(at)) + 1 + shift) % 62);
        assert.ok(!isWellFormedToken(PREFIX, token.slice(0, at) + changed + token.slice(at + 1)));
      }),
      { numRuns: 500 },
    );
  });

  it('rejects swapped neighbours, other prefixes and other lengths', () => {
    const token = mintToken(PREFIX);
    for (let at = PREFIX.length; at < token.length - 1; at += 1) {
      const swapped = token.slice(0, at) + token.charAt(at + 1) + token.charAt(at) + token.slice(at + 2);
      if (swapped !== token) assert.ok(!isWellFormedToken(PREFIX, swapped));
    }
    for (const other of [
      `x${token}`,
      `${token}0`,
      token.slice(0, -1),
      token.replace('live', 'sandbox'),
      '',
      PREFIX,
      `${token.slice(0, -1)}é`,
    ])
      assert.ok(!isWellFormedToken(PREFIX, other));
    assert.ok(!isWellFormedToken('sk_sandbox_', token));
  });
});

describe('hashToken', () => {
  it('is SHA-256 of the whole text', () => {
    assert.equal(hashToken('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('encodeBase62', () => {
  it('keeps the order of numbers at one width', () => {
    const bytes = fc.uint8Array({ minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const [left, right] = [encodeBase62(a, 6), encodeBase62(b, 6)];
        assert.equal(left.length, 6);
        assert.equal(Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right))), Math.sign(Buffer.compare(a, b)));
      }),
    );
  });

  it('pads zero and the widest number to the same width', () => {
    assert.equal(encodeBase62(new Uint8Array(32), 43), '0'.repeat(43));
    assert.equal(encodeBase62(new Uint8Array(32).fill(255), 43).length, 43);
    assert.equal(encodeBase62(new Uint8Array(4).fill(255), 6).length, 6);
  });
});
