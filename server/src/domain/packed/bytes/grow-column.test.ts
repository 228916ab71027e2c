import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { growColumn } from './grow-column.ts';

describe('growColumn', () => {
  it('doubles the room of any kind of column and keeps its numbers', () => {
    assert.deepEqual(growColumn(Float64Array.of(1.5, -0)), Float64Array.of(1.5, -0, 0, 0));
    assert.deepEqual(growColumn(Int32Array.of(-7)), Int32Array.of(-7, 0));
    assert.deepEqual(growColumn(Uint32Array.of(7)), Uint32Array.of(7, 0));
    assert.deepEqual(growColumn(Uint16Array.of(7)), Uint16Array.of(7, 0));
  });

  it('has at least the requested room', () => {
    assert.deepEqual(growColumn(Uint8Array.of(1, 2), 3), Uint8Array.of(1, 2, 0, 0));
    assert.deepEqual(growColumn(Uint8Array.of(1, 2), 5), Uint8Array.of(1, 2, 0, 0, 0));
    assert.equal(growColumn(new Float64Array(0)).length, 1);
  });

  it('does not change the former column, nor depend on what lies around it', () => {
    const all = Float64Array.of(1, 2, 3, 4);
    const grown = growColumn(all.subarray(1, 3));
    grown[0] = 9;
    assert.deepEqual([...grown], [9, 3, 0, 0]);
    assert.deepEqual([...all], [1, 2, 3, 4]);
  });
});
