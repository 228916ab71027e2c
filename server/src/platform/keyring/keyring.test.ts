import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { deriveKey } from '../crypto/derive-key.ts';
import { createSecretEnvelope } from '../crypto/secret-envelope.ts';
import { createKeyring, type DataKey } from './keyring.ts';

const keyOf = (id: number, isSettled = true): DataKey => ({ id, secret: randomBytes(32), isSettled });
const isUnavailable = { name: 'AppError', code: 'unavailable' };

function hold(...keys: DataKey[]) {
  const keyring = createKeyring();
  keyring.hold(keys);
  return keyring;
}

describe('a keyring', () => {
  it('is unavailable until it has keys', () => {
    const keyring = createKeyring();
    for (const use of [() => keyring.derive('cursors'), () => keyring.sealingKey(), () => keyring.unnamedKey()])
      assert.throws(use, { ...isUnavailable, message: 'The service is starting. Retry shortly.' });
  });

  it('seals with the newest key that every process knows', () => {
    assert.equal(hold(keyOf(0), keyOf(1), keyOf(2), keyOf(3, false)).sealingKey().id, 2);
    assert.equal(hold(keyOf(0), keyOf(2), keyOf(1)).sealingKey().id, 2, 'whatever the order');
    assert.equal(hold(keyOf(0), keyOf(1, false), keyOf(2, false)).sealingKey().id, 1, 'of new ones the first');
  });

  it('never seals or opens a named secret with the root', () => {
    assert.throws(() => hold(keyOf(0)).sealingKey());
    assert.throws(() => hold(keyOf(0)).openingKey(0), isUnavailable);
  });

  it('derives from the root key only, and again after it changes', () => {
    const root = keyOf(0);
    const keyring = hold(root, keyOf(1));
    const cursors = keyring.derive('cursors');
    assert.deepEqual(cursors, deriveKey(root.secret, 'cursors'));
    assert.deepEqual(keyring.unnamedKey(), deriveKey(root.secret, 'sealed secrets'));
    keyring.hold([root, keyOf(1), keyOf(2)]);
    assert.deepEqual(keyring.derive('cursors'), cursors);
    keyring.hold([keyOf(0)]);
    assert.notDeepEqual(keyring.derive('cursors'), cursors);
  });

  it('reports a secret with an unknown key, and opens it once the key is loaded', () => {
    const [root, first, second] = [keyOf(0), keyOf(1), keyOf(2)];
    const keyring = hold(root, first);
    const envelope = createSecretEnvelope(keyring);
    const requested: number[] = [];
    keyring.onUnknownKey((id) => requested.push(id));
    const sealed = createSecretEnvelope(hold(root, first, second)).seal('secret', 'a');
    assert.throws(() => envelope.open(sealed, 'a'), isUnavailable);
    assert.deepEqual(requested, [2]);
    keyring.hold([root, first, second]);
    assert.equal(envelope.open(sealed, 'a'), 'secret');
  });
});
