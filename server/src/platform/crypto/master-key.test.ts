import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { deriveKey } from './derive-key.ts';
import { formatMasterKey, generateMasterKey, parseMasterKey } from './master-key.ts';

describe('parseMasterKey', () => {
  it('parses the same 32 bytes as hex, base64 and base64url', () => {
    const bytes = Buffer.from('fb'.repeat(32), 'hex');
    const texts = [
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      bytes.toString('base64'),
      bytes.toString('base64url'),
      ` ${bytes.toString('base64')}\n`,
    ];
    assert.equal(new Set(texts.map((text) => parseMasterKey(text)?.fingerprint)).size, 1);
    assert.notEqual(parseMasterKey(texts[0] ?? ''), null);
  });

  it('rejects anything else', () => {
    for (const text of [
      '',
      'secret',
      Buffer.alloc(31).toString('hex'),
      Buffer.alloc(33).toString('base64'),
      Buffer.alloc(16).toString('hex'),
      '!'.repeat(43),
    ])
      assert.equal(parseMasterKey(text), null, text);
  });

  it('reads back what formatMasterKey wrote', () => {
    const key = generateMasterKey();
    assert.equal(parseMasterKey(formatMasterKey(key))?.fingerprint, key.fingerprint);
  });

  it('has the fingerprint of earlier versions, which is not part of the key', () => {
    assert.equal(parseMasterKey('fb'.repeat(32))?.fingerprint, 'ac0691b261aee795');
    const key = generateMasterKey();
    assert.match(key.fingerprint, /^[0-9a-f]{16}$/);
    assert.ok(!key.exportSecret().toString('hex').includes(key.fingerprint));
  });
});

describe('a wrapped key', () => {
  const master = generateMasterKey();
  const key = randomBytes(32);
  const wrapped = master.wrap(3, key);

  it('opens with its master key and id, and never looks the same twice', () => {
    assert.deepEqual(master.unwrap(3, wrapped), key);
    assert.notDeepEqual(master.wrap(3, key), wrapped);
  });

  it('does not open with another ID or master key, nor changed or truncated', () => {
    assert.throws(() => master.unwrap(4, wrapped));
    assert.throws(() => generateMasterKey().unwrap(3, wrapped));
    fc.assert(
      fc.property(fc.nat(wrapped.length - 1), fc.nat(7), (context, bit) => {
        const changed = Buffer.from(wrapped);
        changed[context] = (changed[context] ?? 0) ^ (1 << bit);
        assert.throws(() => master.unwrap(3, changed));
      }),
    );
    for (let length = 0; length < wrapped.length; length += 1)
      assert.throws(() => master.unwrap(3, wrapped.subarray(0, length)));
  });
});

describe('deriveKey', () => {
  it('derives a stable key per purpose and secret, the same as earlier versions', () => {
    const secret = Buffer.from('fb'.repeat(32), 'hex');
    assert.equal(
      deriveKey(secret, 'cursors').toString('hex'),
      '9a4e97d2aec0a3f70a8ce8b8edf52bd5bb23b6a96f0bf41f90bd63e369dd9128',
    );
    assert.deepEqual(deriveKey(secret, 'cursors'), deriveKey(secret, 'cursors'));
    assert.notDeepEqual(deriveKey(secret, 'cursors'), deriveKey(secret, 'sealed secrets'));
    assert.notDeepEqual(deriveKey(secret, 'cursors'), deriveKey(randomBytes(32), 'cursors'));
  });
});
