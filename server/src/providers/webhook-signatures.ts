// What signed notices have in common: an HMAC over bytes, compared without telling how much of it was right, and a time.
import { createHmac, timingSafeEqual } from 'node:crypto';

export function signSha256(secret: string, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

export function isSameSignature(expected: Uint8Array, sent: Uint8Array): boolean {
  return expected.length === sent.length && timingSafeEqual(expected, sent);
}

/** Both are hashed first, so that nothing tells their lengths either. */
export function isSameSecret(expected: string, sent: string): boolean {
  const digest = (text: string) => signSha256('same', text);
  return expected !== '' && isSameSignature(digest(expected), digest(sent));
}

/** Clocks differ: what claims to come from the future is as wrong as what is old. */
export function isTimely(sentMs: number, now: Date, toleranceMs: number): boolean {
  return Math.abs(now.getTime() - sentMs) <= toleranceMs;
}
