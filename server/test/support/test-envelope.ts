// A secret envelope with its own key, for tests that need no database.
import { randomBytes } from 'node:crypto';
import { createSecretEnvelope, type SecretEnvelope } from '../../src/platform/crypto/secret-envelope.ts';
import { createKeyring } from '../../src/platform/keyring/keyring.ts';

export function createTestEnvelope(): SecretEnvelope {
  const keyring = createKeyring();
  keyring.hold([0, 1].map((id) => ({ id, secret: randomBytes(32), isSettled: true })));
  return createSecretEnvelope(keyring);
}
