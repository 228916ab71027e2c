import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BaselineRule, findBaseline, RESTING_HEART_RATE_RULE } from './baseline.ts';

const latestFirst = (values: readonly (number | null)[]) => (days: number) => values[days - 1] ?? null;
const LOG_HRV: BaselineRule = { windowDays: 60, halfLifeDays: 14, priorSpread: 0.15 };

describe('the baseline', () => {
  it('limits an outlier and weighs by age, as calculated by hand', () => {
    const nights = [58, 63, 66, 61, 59, 64, 70, 62, 60, 140, 57, 65, 61, 63].map(Math.log);
    const { mean, spread } = findBaseline(LOG_HRV, latestFirst(nights)) ?? assert.fail();
    assert.equal(mean.toFixed(4), '4.1434');
    assert.equal(spread.toFixed(4), '0.1075');
  });

  it('is null with fewer than five values in fourteen days, however many came before', () => {
    const four = [50, null, 51, 52, 53];
    assert.equal(findBaseline(RESTING_HEART_RATE_RULE, latestFirst(four)), null);
    const old = [...new Array(14).fill(null), ...new Array(30).fill(50)];
    assert.equal(findBaseline(RESTING_HEART_RATE_RULE, latestFirst(old)), null);
    assert.equal(
      findBaseline(RESTING_HEART_RATE_RULE, latestFirst([50, 50, 50, 50, 50]))?.mean.toFixed(6),
      '50.000000',
    );
  });

  it('of a constant series uses the population spread, and never falls below half of it', () => {
    const few = findBaseline(RESTING_HEART_RATE_RULE, latestFirst(new Array(5).fill(50)));
    const many = findBaseline(RESTING_HEART_RATE_RULE, latestFirst(new Array(60).fill(50)));
    assert.ok((few?.spread ?? 0) > (many?.spread ?? 0));
    assert.equal(many?.spread, 1.25);
  });

  it('ignores days outside its window', () => {
    const recent = new Array(60).fill(50);
    assert.deepEqual(
      findBaseline(RESTING_HEART_RATE_RULE, latestFirst([...recent, 90, 90])),
      findBaseline(RESTING_HEART_RATE_RULE, latestFirst(recent)),
    );
  });
});
