import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rangeOf, readSeries, type Series, seriesPath, sliceSeries } from './sample-lines.ts';

const same = (value: number) => value;
const series = (times: number[], values: number[]): Series => ({
  device: 1,
  times: Float64Array.from(times),
  low: Float64Array.from(values),
  high: Float64Array.from(values),
  stepMs: 1,
});

describe('lines of samples', () => {
  it('read times from distances', () => {
    const read = readSeries({ number: 2, t0: 1_000, step_ms: 10, dt: [0, 1, 5], v: [1, 2, 3], count: 3 } as never);
    assert.deepEqual(
      [read.times, read.low, read.high].map((column) => [...column]),
      [
        [1_000, 1_010, 1_060],
        [1, 2, 3],
        [1, 2, 3],
      ],
    );
  });

  it('join what is near and leave gaps', () => {
    assert.equal(seriesPath(series([0, 1, 9], [5, 6, 7]), same, same, 5, 1), 'M0 5h.01L1 6M9 7h.01');
  });

  it('draw the lowest and highest value of a pixel column', () => {
    const times = Array.from({ length: 60_000 }, (_, index) => index / 100);
    const values = times.map((_, index) => (index % 100 === 50 ? 200 : 60));
    const path = seriesPath(series(times, values), same, same, 5, 1);
    assert.ok(path.length < 600 * 2 * 20, String(path.length));
    assert.match(path, /V200/);
  });

  it('cut with a neighbour on each side', () => {
    assert.deepEqual([...sliceSeries(series([0, 1, 2, 3, 4], [0, 1, 2, 3, 4]), 2, 3).times], [1, 2, 3]);
  });

  it('have a range, or none without samples', () => {
    assert.deepEqual(rangeOf([series([0, 1], [5, 9])]), [5, 9]);
    assert.equal(rangeOf([series([], [])]), null);
  });
});
