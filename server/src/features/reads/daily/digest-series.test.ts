import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { METRICS, type Metric } from '../../../domain/metrics/index.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { DailySeries } from './daily-read-model.ts';
import { digestSeries } from './digest-series.ts';

const [metric] = METRICS as unknown as [Metric];
const source = { provider: 'oura', deviceId: 'a' as DeviceId, originalValue: 1, originalUnit: 'count' };
const series = (values: number[] | null, rest: Partial<DailySeries> = {}): DailySeries => ({
  metric,
  values: values && Float64Array.from(values),
  sources: null,
  ...rest,
});

describe('digestSeries', () => {
  it('is the same for the same series', () => {
    assert.equal(digestSeries([series([1, Number.NaN])]), digestSeries([series([1, Number.NaN])]));
  });

  it('differs if a metric, a value, its place, its kind or a source differs', () => {
    const all = [
      [series(null), series([1, 2])],
      [series([1, 2]), series(null)],
      [series([2, 1])],
      [series([1, Number.NaN])],
      [series([1, 0])],
      [series([1, 2], { hrvKinds: ['rmssd', null] })],
      [series([1, 2], { hrvKinds: ['sdnn', null] })],
      [series([1, 2], { sources: [[source], []] })],
      [series([1, 2], { sources: [[{ ...source, originalValue: 2 }], []] })],
    ];
    assert.equal(new Set(all.map(digestSeries)).size, all.length);
  });
});
