// The secret of the operator. It only wraps the keys of the deployment, so that it can be rotated.
import { createHash, randomBytes } from 'node:crypto';
import { decrypt, encrypt } from './authenticated-encryption.ts';
import { deriveKey, KEY_BYTES } from './derive-key.ts';

export type MasterKey = {
  /** Public identifier of the key, which reveals nothing about it. */
  readonly fingerprint: string;
  /** A wrapped key can be unwrapped only with the ID it was wrapped for. */
  wrap(id: number, key: Buffer): Buffer;
  /** Throws if anything was changed. */
  unwrap(id: number, wrapped: Buffer): Buffer;
  exportSecret(): Buffer;
};

export function generateMasterKey(): MasterKey {
  return masterKeyOf(randomBytes(KEY_BYTES));
}

/** Parses 32 bytes as base64, base64url or hex. Null: none of these. */
export function parseMasterKey(text: string): MasterKey | null {
  const trimmed = text.trim();
  const isHex = /^[0-9a-fA-F]{64}$/.test(trimmed);
  const isBase64 = /^[0-9A-Za-z+/_-]{43}=?$/.test(trimmed);
  if (!isHex && !isBase64) return null;
  return masterKeyOf(Buffer.from(trimmed, isHex ? 'hex' : 'base64'));
}

/** The format of the file and of TRIBUTARY_MASTER_KEY. */
export function formatMasterKey(key: MasterKey): string {
  return key.exportSecret().toString('base64');
}

function masterKeyOf(secret: Buffer): MasterKey {
  const wrappingKey = deriveKey(secret, 'wrapped keys');
  const contextOf = (id: number) => Buffer.from(`data_keys/${id}`);
  return {
    fingerprint: createHash('sha256').update('tributary master key').update(secret).digest('hex').slice(0, 16),
    wrap: (id, key) => encrypt(wrappingKey, key, contextOf(id)),
    unwrap: (id, wrapped) => decrypt(wrappingKey, wrapped, contextOf(id)),
    exportSecret: () => Buffer.from(secret),
  };
}
