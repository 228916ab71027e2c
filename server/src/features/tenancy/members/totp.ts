// Time-based one-time passwords (RFC 6238: SHA-1, six digits, 30 seconds), as authenticator apps compute them. Pure.
import { createHmac } from 'node:crypto';
import { SECOND_MS } from '../../../domain/time/durations.ts';
import { isSameSecret } from '../../../platform/crypto/is-same-secret.ts';

export const TOTP_SECRET_BYTES = 20; // as long as a SHA-1 hash (RFC 4226, section 4)
const STEP_MS = 30 * SECOND_MS;
const DIGITS = 6;
const TOLERATED_STEPS = 1; // a clock that is half a minute off, or a slow typist
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function computeCode(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  const number = hash.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The time step whose code this is, if it is later than `usedStep`: a code is good once. Null: wrong or used before. */
export function findStep(secret: Buffer, code: string, now: Date, usedStep: number): number | null {
  const current = Math.floor(now.getTime() / STEP_MS);
  for (let step = current - TOLERATED_STEPS; step <= current + TOLERATED_STEPS; step += 1)
    if (step > usedStep && isSameSecret(computeCode(secret, step), code)) return step;
  return null;
}

export function looksLikeCode(text: string): boolean {
  return /^\d{6}$/.test(text);
}

/** For authenticator apps, as text or as a QR code. */
export function describeTotp(secret: Buffer, email: string): { readonly secret: string; readonly uri: string } {
  const text = encodeBase32(secret);
  const label = encodeURIComponent(`Tributary:${email}`);
  return { secret: text, uri: `otpauth://totp/${label}?secret=${text}&issuer=Tributary` };
}

function encodeBase32(bytes: Buffer): string {
  let [bits, width, text] = [0, 0, ''];
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    for (width += 8; width >= 5; width -= 5) text += BASE32[(bits >>> (width - 5)) & 31];
    bits &= 0xff;
  }
  return width === 0 ? text : text + BASE32[(bits << (5 - width)) & 31];
}
