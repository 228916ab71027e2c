import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/time/durations.ts';
import { chartColumnsOfBuckets, chartColumnsOfSamples } from './bucket-columns.ts';
import { planColumns } from './plan-columns.ts';

const level = { stepMs: MINUTE_MS, isTotal: false, decimals: 0 };
const part = (atMs: number, value: number) => ({ atMs, min: value, max: value, sum: value });

describe('columns of samples', () => {
  it('hold times as distances in seconds, or in milliseconds where seconds are not exact', () => {
    assert.deepEqual(chartColumnsOfSamples([60_000, 61_000, 120_000], [1.26, 2, 3], 1), {
      t0: 60_000,
      stepMs: 1_000,
      dt: [0, 1, 59],
      values: [1.3, 2, 3],
    });
    assert.deepEqual(chartColumnsOfSamples([60_000, 60_500], [1, 2], 0).dt, [0, 500]);
  });

  it('round halves of negative values away from zero, as timeseries do', () => {
    const columns = chartColumnsOfSamples([0, 60_000], [-0.25, -0.04], 1);
    assert.deepEqual('values' in columns && columns.values, [-0.3, 0]);
  });
});

describe('columns of buckets', () => {
  it('hold the lowest and the highest value, and no empty buckets', () => {
    const parts = [part(0, 60), part(30_000, 80), part(59_999, 70), part(3 * MINUTE_MS, 55)];
    assert.deepEqual(chartColumnsOfBuckets(parts, level), {
      t0: 0,
      stepMs: MINUTE_MS,
      dt: [0, 3],
      min: [60, 55],
      max: [80, 55],
    });
  });

  it('hold sums of totals', () => {
    const columns = chartColumnsOfBuckets([part(0, 10), part(1, 5)], { ...level, isTotal: true });
    assert.deepEqual('values' in columns && columns.values, [15]);
  });
});

describe('the plan of columns', () => {
  it('uses single samples as long as they fit', () => {
    assert.deepEqual(planColumns(7 * DAY_MS, 2_000, 2_000), { by: 'sample' });
  });

  it('uses round buckets of samples, then summaries of blocks', () => {
    assert.deepEqual(planColumns(7 * DAY_MS, 9_255, 2_000), { by: 'bucket', stepMs: 10 * MINUTE_MS, isSummary: false });
    assert.deepEqual(planColumns(90 * DAY_MS, 130_000, 2_000), { by: 'bucket', stepMs: 2 * HOUR_MS, isSummary: false });
    assert.deepEqual(planColumns(365 * DAY_MS, 60_000, 2_000), { by: 'bucket', stepMs: 6 * HOUR_MS, isSummary: true });
    assert.deepEqual(planColumns(3_650 * DAY_MS, 60_000, 2_000), { by: 'bucket', stepMs: 2 * DAY_MS, isSummary: true });
  });
});
