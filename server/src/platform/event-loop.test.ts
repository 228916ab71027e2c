import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createYielder } from './event-loop.ts';

/** Longer than any slice. */
function computeForLong(): void {
  const endMs = performance.now() + 15;
  while (performance.now() < endMs);
}

describe('long computations', () => {
  it('continue one per round of the event loop, in the order in which they yielded', async () => {
    const roundOf: number[] = [];
    let round = 0;
    let isOver = false;
    const countRounds = () => {
      round += 1;
      if (!isOver) setImmediate(countRounds);
    };
    const compute = async () => {
      const yieldIfDue = createYielder();
      computeForLong();
      await yieldIfDue();
      roundOf.push(round);
    };
    setImmediate(countRounds);
    await Promise.all([compute(), compute(), compute()]);
    isOver = true;
    assert.equal(new Set(roundOf).size, 3, `rounds ${roundOf}`);
    assert.deepEqual(
      roundOf,
      roundOf.toSorted((a, b) => a - b),
    );
  });

  it('do not yield before their time slice is over', async () => {
    let isLater = false;
    setImmediate(() => {
      isLater = true;
    });
    const yieldIfDue = createYielder();
    await yieldIfDue();
    assert.equal(isLater, false);
  });
});
