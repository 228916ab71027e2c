// Ids of exported documents: the same record has the same id in every export, so that importers can replace it.
import { hash } from 'node:crypto';

const ID_BYTES = 16;
const DIGITS = Buffer.from('0123456789abcdef');
const HIGH_UNIT = 0x1_0000;

/** A UUID (version 8) from the hash of what identifies the record. */
export function stableId(...parts: readonly (string | number)[]): string {
  const digest = hash('sha256', parts.join('\n'), 'buffer').subarray(0, ID_BYTES);
  digest[6] = ((digest[6] as number) & 0x0f) | 0x80;
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * Returns the bytes of a sample's id after a constant text; the next call overwrites them. `nth` counts samples with the same start,
 * from 0.
 */
type SampleIdTemplate = (startMs: number, nth: number) => Buffer;

/**
 * A UUID (version 8) of 48 bits of time and 74 bits of a hash that all samples of a user and metric share. A hash per sample takes
 * longer than everything else in an export.
 */
export function createSampleIdTemplate(before: string, userId: string, metricId: string): SampleIdTemplate {
  const series = stableId(userId, 'sample', metricId);
  const bytes = Buffer.from(before + series);
  const from = Buffer.byteLength(before);
  const last = Number.parseInt(series.slice(-4), 16);
  return (startMs, nth) => {
    const high = Math.floor(startMs / HIGH_UNIT);
    const low = startMs - high * HIGH_UNIT;
    putByte(bytes, from, high >>> 24);
    putByte(bytes, from + 2, high >>> 16);
    putByte(bytes, from + 4, high >>> 8);
    putByte(bytes, from + 6, high);
    putByte(bytes, from + 9, low >>> 8);
    putByte(bytes, from + 11, low);
    putByte(bytes, from + 32, (last ^ nth) >>> 8);
    putByte(bytes, from + 34, last ^ nth);
    return bytes;
  };
}

function putByte(bytes: Buffer, at: number, byte: number): void {
  bytes[at] = DIGITS[(byte >>> 4) & 15] as number;
  bytes[at + 1] = DIGITS[byte & 15] as number;
}
