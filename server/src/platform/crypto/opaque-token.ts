// Random bearer secrets: prefix, 32 random bytes in base62, 6 characters of CRC-32.
// The checksum allows us to reject a malformed token without a query, and secret scanners to recognize tokens.
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { encodeBase62 } from './base62.ts';

const SECRET_BYTES = 32;
const SECRET_WIDTH = 43; // ceil(256 bits / log2 62)
const CHECKSUM_WIDTH = 6; // ceil(32 bits / log2 62)

export function mintToken(prefix: string): string {
  const unchecked = prefix + encodeBase62(randomBytes(SECRET_BYTES), SECRET_WIDTH);
  return unchecked + checksum(unchecked);
}

export function isWellFormedToken(prefix: string, token: string): boolean {
  if (!token.startsWith(prefix) || token.length !== prefix.length + SECRET_WIDTH + CHECKSUM_WIDTH) return false;
  if (!/^[0-9A-Za-z]+$/.test(token.slice(prefix.length))) return false;
  const unchecked = token.slice(0, -CHECKSUM_WIDTH);
  return checksum(unchecked) === token.slice(-CHECKSUM_WIDTH);
}

/** The stored hash. 256 random bits cannot be guessed, so a fast hash without a pepper is enough. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function checksum(text: string): string {
  const value = Buffer.alloc(4);
  value.writeUInt32BE(crc32(text));
  return encodeBase62(value, CHECKSUM_WIDTH);
}
