import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBodyBudget } from './body-budget.ts';

const LIMITS = { totalBytes: 120, freeBytes: 0 };

describe('the budget of bodies', () => {
  it('503 for more than is free; accepted once others are released', () => {
    const budget = createBodyBudget(LIMITS);
    const [first, second] = [budget.open('a'), budget.open('a')];
    assert.equal(first.take(50), null);
    assert.equal(second.take(10), null); // 60 held, 60 free
    const refusal = second.take(1);
    assert.deepEqual([refusal?.code, refusal?.status, refusal?.headers['retry-after']], ['overloaded', 503, '1']);
    first.release();
    assert.equal(second.take(40), null);
  });

  it('has room for a new share, however many hold the maximum', () => {
    const budget = createBodyBudget(LIMITS);
    for (const name of ['a', 'b', 'c', 'd']) {
      const hold = budget.open(name);
      let taken = 0;
      while (hold.take(1) === null) taken += 1;
      assert.ok(taken > 0, name);
    }
  });

  it('does not count the first bytes of a body, so small bodies are never rejected', () => {
    const budget = createBodyBudget({ totalBytes: 120, freeBytes: 10 });
    const large = budget.open('a');
    while (large.take(10) === null);
    const small = budget.open('a');
    assert.deepEqual([small.take(4), small.take(6)], [null, null]);
    assert.equal(small.take(1)?.code, 'overloaded');
  });

  it('releases reserved bytes once', () => {
    const budget = createBodyBudget(LIMITS);
    const hold = budget.open('a');
    assert.equal(hold.take(60), null);
    hold.release();
    hold.release();
    const again = budget.open('b');
    assert.equal(again.take(60), null);
    assert.equal(again.take(1)?.code, 'overloaded');
  });
});
