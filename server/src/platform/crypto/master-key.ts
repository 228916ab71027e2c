// One secret per deployment; every other key is derived from it for one named purpose.
import { createHash, hkdfSync, randomBytes } from 'node:crypto';

export type MasterKey = {
  /** Public name of the key: tells two keys apart without giving either away. */
  readonly fingerprint: string;
  derive(purpose: string): Buffer;
};

const KEY_BYTES = 32;

export function generateMasterKeyText(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/** 32 bytes as base64, base64url or hex; null if it is none of these. */
export function parseMasterKey(text: string): MasterKey | null {
  const trimmed = text.trim();
  const isHex = /^[0-9a-fA-F]{64}$/.test(trimmed);
  const isBase64 = /^[0-9A-Za-z+/_-]{43}=?$/.test(trimmed);
  if (!isHex && !isBase64) return null;
  const secret = Buffer.from(trimmed, isHex ? 'hex' : 'base64');
  return {
    fingerprint: createHash('sha256').update('tributary master key').update(secret).digest('hex').slice(0, 16),
    derive: (purpose) => Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), purpose, KEY_BYTES)),
  };
}
