// Encrypts secrets for storage. Each is bound to the context it is stored in, so that a ciphertext cannot be moved to another
// row, and starts with the ID of its key, so that keys can be rotated.
import { decrypt, encrypt } from './authenticated-encryption.ts';

export type SecretEnvelope = {
  seal(plain: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
};

export type SealingKeys = {
  /** The key for new secrets. */
  sealingKey(): { readonly id: number; readonly secret: Buffer };
  /** Throws if the key does not exist. */
  openingKey(id: number): Buffer;
  /** The key of secrets that were sealed before keys had IDs. */
  unnamedKey(): Buffer;
};

const UNNAMED_KEY = 1;
const NAMED_KEY = 2;
const HEAD_BYTES = 5;

/** Layout: version byte, key ID in four bytes (since version 2), ciphertext. */
export function createSecretEnvelope(keys: SealingKeys): SecretEnvelope {
  return {
    seal(plain, context) {
      const { id, secret } = keys.sealingKey();
      const head = Buffer.alloc(HEAD_BYTES);
      head.writeUInt8(NAMED_KEY);
      head.writeUInt32BE(id, 1);
      return Buffer.concat([head, encrypt(secret, Buffer.from(plain), contextOf(head, context))]);
    },
    open(sealed, context) {
      if (sealed[0] === UNNAMED_KEY)
        return decrypt(keys.unnamedKey(), sealed.subarray(1), Buffer.from(context)).toString();
      if (sealed[0] !== NAMED_KEY || sealed.length < HEAD_BYTES) throw new Error('not a sealed secret');
      const head = sealed.subarray(0, HEAD_BYTES);
      const key = keys.openingKey(head.readUInt32BE(1));
      return decrypt(key, sealed.subarray(HEAD_BYTES), contextOf(head, context)).toString();
    },
  };
}

function contextOf(head: Buffer, context: string): Buffer {
  return Buffer.concat([head, Buffer.from(context)]);
}
