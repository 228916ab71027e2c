// Derives independent keys from one secret, each for one named purpose.
import { hkdfSync } from 'node:crypto';

export const KEY_BYTES = 32;

export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), purpose, KEY_BYTES));
}
