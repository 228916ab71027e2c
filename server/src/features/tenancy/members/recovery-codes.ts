// Recovery codes: each replaces one code of the authenticator app, once.
import { createHash, randomInt } from 'node:crypto';

const CODES = 10;
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'; // without characters that look alike
const LENGTH = 10; // 49 bits: more than can be guessed within the limits of sign-in

export function mintRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const text = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    return `${text.slice(0, LENGTH / 2)}-${text.slice(LENGTH / 2)}`;
  });
}

/** Case, spaces and the dash do not matter, because people copy codes from paper. */
export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest();
}
