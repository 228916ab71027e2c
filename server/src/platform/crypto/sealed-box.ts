// Secrets at rest: AES-256-GCM, bound to the place they are stored in, so that a ciphertext moved elsewhere does not open.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export type SealedBox = { seal(plain: string, place: string): Buffer; open(sealed: Buffer, place: string): string };

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Layout: version byte, IV, tag, ciphertext. */
export function createSealedBox(key: Buffer): SealedBox {
  return {
    seal(plain, place) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), iv, cipher.getAuthTag(), text]);
    },
    open(sealed, place) {
      if (sealed[0] !== VERSION || sealed.length < 1 + IV_BYTES + TAG_BYTES) throw new Error('not a sealed secret');
      const iv = sealed.subarray(1, 1 + IV_BYTES);
      const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place)).setAuthTag(tag);
      return decipher.update(sealed.subarray(1 + IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
