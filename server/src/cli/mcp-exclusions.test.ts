import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { excludeDays, excludeItems } from './mcp-exclusions.ts';

const EXCLUDED = ['strava'];

describe('answers of the assistant server', () => {
  it('have no daily value of an excluded provider, of the service, or of an unknown source', () => {
    const source = (provider: string) => ({ provider });
    const reply = {
      dates: ['1', '2', '3', '4', '5'],
      series: { steps: [1, 2, 3, 4, null], weight: [70, 71, 72, 73, 74] },
      sources: { steps: [source('oura'), source('strava'), source('tributary'), null, null] },
    };
    const { series, excluded } = excludeDays(reply, EXCLUDED) as {
      series: Record<string, unknown[]>;
      excluded: { values: number };
    };
    assert.deepEqual(series.steps, [1, null, null, null, null]);
    assert.deepEqual(series.weight, [null, null, null, null, null]);
    assert.equal(excluded.values, 8);
  });

  it('have no item of an excluded provider or of an unknown source', () => {
    const data = [{ source: 'oura' }, { source: { provider: 'strava' } }, { sources: [] }, {}];
    assert.deepEqual(excludeItems({ data }, EXCLUDED).data, [{ source: 'oura' }]);
  });
});
