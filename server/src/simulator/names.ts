// Ids that look random but are derived from the named record, so that they are always the same.
import { createHash } from 'node:crypto';

export function nameUuid(...names: readonly string[]): string {
  const hex = digest(names).toString('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** An integer of at most this many bits, never 0. */
export function nameInteger(bits: number, ...names: readonly string[]): bigint {
  return BigInt.asUintN(bits, digest(names).readBigUInt64BE()) || 1n;
}

export function nameHex(characters: number, ...names: readonly string[]): string {
  return digest(names).toString('hex').slice(0, characters);
}

function digest(names: readonly string[]): Buffer {
  return createHash('sha256').update(names.join('/')).digest();
}
