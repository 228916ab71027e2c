import assert from 'node:assert/strict';
import { it } from 'node:test';
import { strengthOf } from './matrix.ts';

it('a cell is stronger the more points the factor has, in both directions', () => {
  assert.deepEqual([0, 0.1, -0.1, 3, -8, 15, -45].map(strengthOf), [0, 1, 1, 2, 4, 6, 6]);
});
