// Shared checks of signed webhooks: an HMAC and a timestamp.
import { createHmac } from 'node:crypto';

export function signSha256(secret: string, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** Clocks differ: a time in the future is as invalid as an old one. */
export function isTimely(sentMs: number, now: Date, toleranceMs: number): boolean {
  return Math.abs(now.getTime() - sentMs) <= toleranceMs;
}
