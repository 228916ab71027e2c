import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { deriveKey } from './derive-key.ts';
import { createSecretEnvelope, type SealingKeys } from './secret-envelope.ts';

/** The last one seals. */
function keysOf(secrets: Record<number, Buffer>, unnamed: Buffer = randomBytes(32)): SealingKeys {
  const last = Math.max(...Object.keys(secrets).map(Number));
  const openingKey = (id: number) => secrets[id] ?? assert.fail(`no key ${id}`);
  return { sealingKey: () => ({ id: last, secret: openingKey(last) }), openingKey, unnamedKey: () => unnamed };
}

describe('createSecretEnvelope', () => {
  const [first, second] = [randomBytes(32), randomBytes(32)];
  const envelope = createSecretEnvelope(keysOf({ 1: first }));

  it('opens any sealed text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) =>
        assert.equal(envelope.open(envelope.seal(plain, context), context), plain),
      ),
    );
  });

  it('does not open if changed or truncated, nor in another context or with another key', () => {
    const sealed = envelope.seal('secret', 'signing_keys/1');
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.nat(7), (context, bit) => {
        const changed = Buffer.from(sealed);
        changed[context] = (changed[context] ?? 0) ^ (1 << bit);
        assert.throws(() => envelope.open(changed, 'signing_keys/1'));
      }),
    );
    for (let length = 0; length < sealed.length; length += 1)
      assert.throws(() => envelope.open(sealed.subarray(0, length), 'signing_keys/1'));
    assert.throws(() => envelope.open(sealed, 'signing_keys/2'));
    assert.throws(() => createSecretEnvelope(keysOf({ 1: second })).open(sealed, 'signing_keys/1'));
  });

  it('never seals a text to the same bytes twice', () => {
    assert.notDeepEqual(envelope.seal('secret', 'a'), envelope.seal('secret', 'a'));
  });

  it('names the key it sealed with, and opens what any of its keys sealed', () => {
    const both = createSecretEnvelope(keysOf({ 1: first, 2: second }));
    const sealed = both.seal('secret', 'a');
    assert.equal(sealed.subarray(0, 5).toString('hex'), '0200000002');
    assert.equal(both.open(envelope.seal('earlier', 'a'), 'a'), 'earlier');
    assert.throws(() => envelope.open(sealed, 'a'), /no key 2/);
  });

  it('binds the name of the key, even where both names mean the same key', () => {
    const twins = createSecretEnvelope(keysOf({ 1: first, 2: first }));
    const renamed = twins.seal('secret', 'a');
    renamed.writeUInt32BE(1, 1);
    assert.throws(() => twins.open(renamed, 'a'));
  });
});

describe('a secret that was sealed before keys had ids', () => {
  const SEALED = Buffer.from('01f4c95f445219d7b12f1f8fb997c6d10fb7210ea6df11fc99c0d02d6a68b58cf1eb38f2', 'hex');
  const unnamed = deriveKey(Buffer.from('fb'.repeat(32), 'hex'), 'sealed secrets');
  const envelope = createSecretEnvelope(keysOf({ 1: randomBytes(32) }, unnamed));

  it('opens in its context', () => assert.equal(envelope.open(SEALED, 'webhook/1'), 'grüße'));

  it('does not open in another context, changed or truncated', () => {
    assert.throws(() => envelope.open(SEALED, 'webhook/2'));
    for (let context = 0; context < SEALED.length; context += 1) {
      const changed = Buffer.from(SEALED);
      changed[context] = (changed[context] ?? 0) ^ 1;
      assert.throws(() => envelope.open(changed, 'webhook/1'), `byte ${context}`);
      assert.throws(() => envelope.open(SEALED.subarray(0, context), 'webhook/1'), `${context} bytes`);
    }
  });
});
