// Allocates small arrays from a larger buffer, because creating and collecting thousands of separate arrays takes
// longer than filling them. A buffer lives as long as any of its parts.

const PIECE_LENGTH = 4_096;
/** Longer arrays get their own buffer, so that a short one does not keep a large buffer alive. */
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
