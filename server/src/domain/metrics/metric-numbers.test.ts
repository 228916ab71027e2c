import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { METRICS } from './index.ts';
import { metricIdOf, metricNumberOf } from './metric-numbers.ts';

describe('metric numbers', () => {
  it('every metric has one, and maps back', () => {
    const numbers = METRICS.map(({ id }) => metricNumberOf(id));
    assert.equal(new Set(numbers).size, METRICS.length);
    for (const { id } of METRICS) assert.equal(metricIdOf(metricNumberOf(id)), id);
    assert.equal(metricIdOf(0), null);
    assert.equal(metricIdOf(30_000), null);
  });

  it('the first 178 never change', () => {
    const stored = Array.from({ length: 178 }, (_, index) => metricIdOf(index + 1)).join();
    assert.equal(createHash('sha256').update(stored).digest('hex').slice(0, 16), '42e178eb3f0bf50f');
  });
});
