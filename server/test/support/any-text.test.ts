import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyText } from './any-text.ts';

describe('anyText', () => {
  const texts = fc.sample(anyText({ minLength: 1, maxLength: 12 }), { numRuns: 5_000, seed: 1 });

  it('generates control characters, non-ASCII letters, surrogate pairs and property names of objects', () => {
    const points = texts.flatMap((text) => [...text].map((character) => character.codePointAt(0) ?? 0));
    for (const [from, to] of [
      [0, 0x1f],
      [0x100, 0xd7ff],
      [0xe000, 0xffff],
      [0x1_0000, 0x10_ffff],
    ] as const)
      assert.ok(
        points.some((point) => point >= from && point <= to),
        `${from}–${to}`,
      );
    assert.ok(texts.includes('__proto__'));
  });

  it('generates no lone surrogate and respects the length limits', () => {
    assert.equal(texts.length, 5_000);
    for (const text of texts) {
      assert.ok(text.isWellFormed());
      assert.ok([...text].length >= 1 && [...text].length <= 12);
    }
  });
});
