import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBodyBudget } from './body-budget.ts';

describe('the budget of bodies', () => {
  it('refuses what passes the total or the share, and takes it once others are done', () => {
    const budget = createBodyBudget({ totalBytes: 100, shareBytes: 60 });
    const [first, second, other] = [budget.open('a'), budget.open('a'), budget.open('b')];
    assert.equal(first.take(50), null);
    const refusal = second.take(11); // the share has 60
    assert.deepEqual([refusal?.code, refusal?.status, refusal?.headers['retry-after']], ['overloaded', 503, '1']);
    assert.equal(second.take(10), null);
    assert.equal(other.take(41)?.code, 'overloaded'); // all have 100
    assert.equal(other.take(40), null);
    first.release();
    assert.equal(second.take(50), null);
  });

  it('gives back what was taken, once', () => {
    const budget = createBodyBudget({ totalBytes: 100, shareBytes: 100 });
    const hold = budget.open('a');
    assert.equal(hold.take(100), null);
    hold.release();
    hold.release();
    const again = budget.open('b');
    assert.equal(again.take(100), null);
    assert.equal(again.take(1)?.code, 'overloaded');
  });
});
