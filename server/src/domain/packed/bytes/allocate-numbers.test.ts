import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allocateNumbers } from './allocate-numbers.ts';

describe('allocateNumbers', () => {
  it('returns zeroed memory that no other array shares, however many were allocated before', () => {
    const lengths = [0, 1, 24, 255, 256, 257, 5_000];
    const parts = Array.from({ length: 200 }, (_, index) => allocateNumbers(lengths[index % lengths.length] ?? 0));
    for (const [index, part] of parts.entries()) {
      assert.equal(part.length, lengths[index % lengths.length]);
      assert.deepEqual(part, new Float64Array(part.length));
      part.fill(index + 1);
    }
    for (const [index, part] of parts.entries()) assert.deepEqual(part, new Float64Array(part.length).fill(index + 1));
  });
});
