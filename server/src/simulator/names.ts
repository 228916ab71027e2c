// Ids that look drawn by lot and are not: each is a function of what it names, so that it is the same whenever it is asked for.
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

/** A whole number of so many bits at most, never 0. */
export function nameInteger(bits: number, ...names: readonly string[]): bigint {
  return BigInt.asUintN(bits, digest(names).readBigUInt64BE()) || 1n;
}

export function nameHex(characters: number, ...names: readonly string[]): string {
  return digest(names).toString('hex').slice(0, characters);
}

function digest(names: readonly string[]): Buffer {
  return createHash('sha256').update(names.join('/')).digest();
}
