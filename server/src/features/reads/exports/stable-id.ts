// Ids of exported documents: the same record has the same id in every export, so that importers can replace it.
import { hash } from 'node:crypto';

/** Where each byte of the hash is written, between the hyphens. */
const OFFSETS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const HYPHENS = '-'.repeat(36);
const DIGITS = Buffer.from('0123456789abcdef');

/** A UUID (version 8) from the hash of what identifies the record. */
export function stableId(...parts: readonly (string | number)[]): string {
  const bytes = Buffer.from(HYPHENS);
  putId(bytes, 0, parts.join('\n'));
  return bytes.toString('latin1');
}

/** Returns the bytes of an id after a constant text. The next call overwrites them. */
type IdTemplate = (lastPart: number) => Buffer;

/** Writes ids like `stableId`, for records that differ in their last part. */
export function createIdTemplate(before: string, ...parts: readonly string[]): IdTemplate {
  const prefix = `${parts.join('\n')}\n`;
  const bytes = Buffer.from(before + HYPHENS);
  const idAt = Buffer.byteLength(before);
  return (lastPart) => {
    putId(bytes, idAt, prefix + lastPart);
    return bytes;
  };
}

function putId(bytes: Buffer, from: number, identity: string): void {
  const digest = hash('sha256', identity, 'latin1'); // as text, because a buffer per id takes twice as long
  for (let index = 0; index < OFFSETS.length; index += 1) {
    let byte = digest.charCodeAt(index);
    if (index === 6) byte = (byte & 0x0f) | 0x80;
    if (index === 8) byte = (byte & 0x3f) | 0x80;
    const at = from + (OFFSETS[index] as number);
    bytes[at] = DIGITS[byte >> 4] as number;
    bytes[at + 1] = DIGITS[byte & 15] as number;
  }
}
