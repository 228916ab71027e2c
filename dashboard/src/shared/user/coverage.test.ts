import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinSteps, readBits, stepsUntil } from './coverage.ts';

describe('coverage of a device', () => {
  it('reads the lowest bit first', () => {
    assert.deepEqual(readBits(btoa('\x01\x02'), 10), [true, ...Array(8).fill(false), true]);
    assert.deepEqual(readBits(null, 2), [false, false]);
    assert.deepEqual(readBits(btoa('\x01'), 9).at(-1), false);
  });

  it('joins neighbours', () => {
    assert.deepEqual(joinSteps([true, true, false, true]), [
      { from: 0, to: 2 },
      { from: 3, to: 4 },
    ]);
    assert.deepEqual(joinSteps([]), []);
  });

  it('counts the steps up to now', () => {
    assert.equal(stepsUntil({ from: '2026-03-04T18:00:00Z', step_hours: 6 }, Date.parse('2026-03-05T21:00:00Z')), 4.5);
  });
});
