import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildTrend } from './trend.ts';

const numberOf = (id: string) => ({ watch: 1, phone: 2, scale: 3 })[id] ?? null;
const total = { sources: undefined, numberOf, isTotal: true, unit: 'kg' };

describe('a trend', () => {
  it('keeps gaps, has the mean, and begins at zero for totals', () => {
    const trend = buildTrend([10, null, 30], total);
    assert.deepEqual(
      trend.points.map(({ index, value }) => [index, value]),
      [
        [0, 10],
        [2, 30],
      ],
    );
    assert.deepEqual([trend.mean, trend.low, trend.gaps], [20, 0, 1]);
    assert.ok(trend.high > 30);
  });

  it('begins below the lowest value for levels', () => {
    const { low, high } = buildTrend([50, 60], { ...total, isTotal: false });
    assert.ok(low < 50 && low > 40 && high > 60);
  });

  it('has the device behind a value, and what others said in the same unit', () => {
    const all = [
      { device_id: 'watch', original_value: 10, original_unit: 'kg' },
      { device_id: 'phone', original_value: 7, original_unit: 'kg' },
      { device_id: 'scale', original_value: 22, original_unit: 'lb' },
    ];
    const sources = [
      { device_id: 'watch', original_value: 10, original_unit: 'kg', sources: all },
      { device_id: null, original_value: 5, original_unit: 'kg' },
    ];
    const { points } = buildTrend([10, 5], { ...total, sources });
    assert.deepEqual(points[0], { index: 0, value: 10, device: 1, others: [{ device: 2, value: 7 }] });
    assert.deepEqual(points[1]?.device, null);
  });

  it('is empty without values', () => {
    assert.deepEqual(buildTrend([null], total).points, []);
  });
});
