// AES-256-GCM with a random IV. Decryption needs the same key and the same context.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Layout: IV, tag, ciphertext. */
export function encrypt(key: Buffer, plain: Buffer, context: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(context);
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
}

/** Throws if anything was changed. */
export function decrypt(key: Buffer, encrypted: Buffer, context: Buffer): Buffer {
  if (encrypted.length < IV_BYTES + TAG_BYTES) throw new Error('too short to have been encrypted');
  const iv = encrypted.subarray(0, IV_BYTES);
  const tag = encrypted.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, iv).setAAD(context).setAuthTag(tag);
  return Buffer.concat([decipher.update(encrypted.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}
