import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fitExponent } from './exponent.ts';

it('is 0 for a constant, 1 for a line and 2 for a square', () => {
  for (const exponent of [0, 1, 2])
    assert.ok(Math.abs(fitExponent([1, 10, 100].map((x) => ({ x, y: 3 * x ** exponent }))) - exponent) < 1e-9);
});
