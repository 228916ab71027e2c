import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placeInput, usualRange } from './usual-strip.ts';

const linear = { mean: 60, spread: 2, scale: 'linear' } as const;
const log = { mean: 60, spread: 0.1, scale: 'log' } as const;

describe('usual values', () => {
  it('range one spread around the mean, on both scales', () => {
    assert.deepEqual(usualRange(linear), [58, 62]);
    assert.deepEqual(
      usualRange(log).map((value) => value.toFixed(1)),
      ['54.3', '66.3'],
    );
  });

  it('place the input in spreads, cut at the limit', () => {
    assert.equal(placeInput({ input: 63, usual: linear }, 3), 1.5);
    assert.equal(placeInput({ input: 90, usual: linear }, 3), 3);
    assert.equal(placeInput({ input: 60 * Math.exp(-0.2), usual: log }, 3)?.toFixed(3), '-2.000');
    assert.equal(placeInput({ input: 0, usual: log }, 3), null);
    assert.equal(placeInput({ input: null, usual: linear }, 3), null);
    assert.equal(placeInput({ input: 1, usual: { ...linear, spread: 0 } }, 3), null);
  });
});
