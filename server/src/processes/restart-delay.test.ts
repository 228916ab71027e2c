import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countEnds, restartDelayMs } from './restart-delay.ts';

describe('restartDelayMs', () => {
  it('restarts at once after the first end, then after twice as long each time, at most half a minute', () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 7, 50].map(restartDelayMs),
      [0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000],
    );
  });
});

describe('countEnds', () => {
  it('begins again after a process that served for a minute', () => {
    assert.equal(countEnds(0, 10), 1);
    assert.equal(countEnds(3, 59_999), 4);
    assert.equal(countEnds(3, 60_000), 1);
  });
});
