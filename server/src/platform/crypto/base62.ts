// Base62: letters and digits only, so that a double click selects a whole token.

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Encodes the bytes as a big-endian number, left-padded to a fixed width. */
export function encodeBase62(bytes: Uint8Array, width: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
  let text = '';
  while (rest > 0n) {
    text = ALPHABET.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text.padStart(width, '0');
}

/** Null: a character is not a base 62 digit, or the number needs more bytes. */
export function decodeBase62(text: string, byteCount: number): Buffer | null {
  let value = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return null;
    value = value * 62n + BigInt(digit);
  }
  const hex = value.toString(16).padStart(byteCount * 2, '0');
  return hex.length === byteCount * 2 ? Buffer.from(hex, 'hex') : null;
}
