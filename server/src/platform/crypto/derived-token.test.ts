import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createDerivedTokens } from './derived-token.ts';

const newTokens = () => {
  const key = randomBytes(32);
  return createDerivedTokens(() => key);
};
const tokens = newTokens();

describe('derived tokens', () => {
  it('come back as they went, and are the same each time', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 0, max: 2 ** 32 - 1 }), (id, turn) => {
        const text = tokens.encode('ct_', { id, turn });
        assert.deepEqual(tokens.decode('ct_', text), { id, turn });
        assert.equal(tokens.encode('ct_', { id, turn }), text);
      }),
    );
  });

  it('are refused under another prefix, another key, or with any character changed', () => {
    const text = tokens.encode('ct_', { id: randomUUID(), turn: 7 });
    assert.equal(tokens.decode('sr_', text), null);
    assert.equal(tokens.decode('sr_', `sr_${text.slice(3)}`), null);
    assert.equal(newTokens().decode('ct_', text), null);
    for (let place = 3; place < text.length; place += 1) {
      const other = text[place] === 'a' ? 'b' : 'a';
      assert.equal(tokens.decode('ct_', text.slice(0, place) + other + text.slice(place + 1)), null, `place ${place}`);
    }
  });

  it('are refused when they are no such text at all', () => {
    for (const text of ['', 'ct_', 'ct_ä', `ct_${'z'.repeat(60)}`, `ct_${'-'.repeat(60)}`])
      assert.equal(tokens.decode('ct_', text), null);
  });
});
