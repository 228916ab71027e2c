// Shared checks of signed webhooks: an HMAC compared in constant time, and a timestamp.
import { createHmac, timingSafeEqual } from 'node:crypto';

export function signSha256(secret: string, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

export function isSameSignature(expected: Uint8Array, sent: Uint8Array): boolean {
  return expected.length === sent.length && timingSafeEqual(expected, sent);
}

/** Both are hashed first, so that their lengths do not leak either. */
export function isSameSecret(expected: string, sent: string): boolean {
  const digest = (text: string) => signSha256('same', text);
  return expected !== '' && isSameSignature(digest(expected), digest(sent));
}

/** Clocks differ: a time in the future is as invalid as an old one. */
export function isTimely(sentMs: number, now: Date, toleranceMs: number): boolean {
  return Math.abs(now.getTime() - sentMs) <= toleranceMs;
}
