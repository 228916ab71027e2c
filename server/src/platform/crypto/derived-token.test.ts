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
  it('can be read back, and are the same each time', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 0, max: 2 ** 32 - 1 }), (id, version) => {
        const text = tokens.encode('ct_', { id, version });
        assert.deepEqual(tokens.decode('ct_', text), { id, version });
        assert.equal(tokens.encode('ct_', { id, version }), text);
      }),
    );
  });

  it('are rejected with another prefix, another key or any changed character', () => {
    const text = tokens.encode('ct_', { id: randomUUID(), version: 7 });
    assert.equal(tokens.decode('sr_', text), null);
    assert.equal(tokens.decode('sr_', `sr_${text.slice(3)}`), null);
    assert.equal(newTokens().decode('ct_', text), null);
    for (let context = 3; context < text.length; context += 1) {
      const other = text[context] === 'a' ? 'b' : 'a';
      assert.equal(
        tokens.decode('ct_', text.slice(0, context) + other + text.slice(context + 1)),
        null,
        `place ${context}`,
      );
    }
  });

  it('are rejected if the text is not a token', () => {
    for (const text of ['', 'ct_', 'ct_ä', `ct_${'z'.repeat(60)}`, `ct_${'-'.repeat(60)}`])
      assert.equal(tokens.decode('ct_', text), null);
  });
});
