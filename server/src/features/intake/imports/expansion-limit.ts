// The limit against compressed files that unpack to far more than a disk or a day can hold.

/** Exports and bundles pack 5 to 40 times; a bomb of zeros, 1,000 times. */
export const MAX_EXPANSION = 200;
const ALWAYS_ALLOWED_BYTES = 64 * 1_048_576;

export function isBomb(bytes: number, packedBytes: number): boolean {
  return bytes > ALWAYS_ALLOWED_BYTES && bytes > packedBytes * MAX_EXPANSION;
}
