// Room for a few numbers, cut from a larger piece: thousands of small arrays of their own take longer to make, and to collect,
// than to fill. A piece lives as long as any of its parts.

const PIECE_LENGTH = 4_096;
/** Longer ones stand alone, so that no piece is kept for a short one of them. */
const MAX_SHARED_LENGTH = 256;

let piece = new Float64Array(0);
let used = 0;

/** All zeros. */
export function allocateNumbers(length: number): Float64Array {
  if (length > MAX_SHARED_LENGTH) return new Float64Array(length);
  if (used + length > piece.length) {
    piece = new Float64Array(PIECE_LENGTH);
    used = 0;
  }
  used += length;
  return piece.subarray(used - length, used);
}
