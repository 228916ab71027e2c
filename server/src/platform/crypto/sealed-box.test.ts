import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { generateMasterKeyText, parseMasterKey } from './master-key.ts';
import { createSealedBox } from './sealed-box.ts';

describe('createSealedBox', () => {
  const box = createSealedBox(randomBytes(32));

  it('there and back, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, place) =>
        assert.equal(box.open(box.seal(plain, place), place), plain),
      ),
    );
  });

  it('opens neither when a bit is changed, nor cut short, nor elsewhere, nor with another key', () => {
    const sealed = box.seal('secret', 'signing_keys/1');
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.nat(7), (place, bit) => {
        const changed = Buffer.from(sealed);
        changed[place] = (changed[place] ?? 0) ^ (1 << bit);
        assert.throws(() => box.open(changed, 'signing_keys/1'));
      }),
    );
    for (let length = 0; length < sealed.length; length += 1)
      assert.throws(() => box.open(sealed.subarray(0, length), 'signing_keys/1'));
    assert.throws(() => box.open(sealed, 'signing_keys/2'));
    assert.throws(() => createSealedBox(randomBytes(32)).open(sealed, 'signing_keys/1'));
  });

  it('never seals one text twice alike', () => {
    assert.notDeepEqual(box.seal('secret', 'a'), box.seal('secret', 'a'));
  });
});

describe('parseMasterKey', () => {
  it('takes 32 bytes as hex, base64 and base64url, for one and the same key', () => {
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

  it('refuses anything else', () => {
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

  it('derives another key for each purpose, always the same', () => {
    const text = generateMasterKeyText();
    const [first, again] = [parseMasterKey(text), parseMasterKey(text)];
    assert.deepEqual(first?.derive('cursors'), again?.derive('cursors'));
    assert.equal(first?.derive('cursors').length, 32);
    assert.notDeepEqual(first?.derive('cursors'), first?.derive('sealed secrets'));
    assert.notDeepEqual(first?.derive('cursors'), parseMasterKey(generateMasterKeyText())?.derive('cursors'));
  });

  it('gives a fingerprint that is no part of the key', () => {
    const text = generateMasterKeyText();
    assert.match(parseMasterKey(text)?.fingerprint ?? '', /^[0-9a-f]{16}$/);
    assert.ok(
      !Buffer.from(text, 'base64')
        .toString('hex')
        .includes(parseMasterKey(text)?.fingerprint ?? ''),
    );
  });
});
