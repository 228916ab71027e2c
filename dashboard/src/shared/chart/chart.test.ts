import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCursor, stepOfKey } from './cursor.ts';
import { decimate } from './decimate.ts';
import { barsPath, boxesPath, linePath } from './paths.ts';
import { linearScale, roundTicks } from './scale.ts';
import { timeTicks } from './time-ticks.ts';

describe('linearScale', () => {
  it('maps the domain to the range and back', () => {
    const scale = linearScale([0, 10], [100, 200]);
    assert.equal(scale(5), 150);
    assert.equal(scale.invert(150), 5);
  });

  it('puts a domain of one value into the middle', () => {
    assert.equal(linearScale([5, 5], [0, 10])(5), 5);
  });
});

describe('roundTicks', () => {
  it('are round numbers within the domain, at most as many as asked for', () => {
    assert.deepEqual(roundTicks(48, 130, 3), [50, 100]);
    assert.deepEqual(roundTicks(0, 0.35, 4), [0, 0.1, 0.2, 0.3]);
    assert.deepEqual(roundTicks(5, 5, 3), [5]);
  });
});

describe('timeTicks', () => {
  const labels = (from: string, to: string, every = 6) =>
    timeTicks(Date.parse(from), Date.parse(to), 'Europe/Berlin', every).map(({ label }) => label);

  it('are full hours of the zone, and the end of a day is 24:00', () => {
    assert.deepEqual(labels('2026-03-09T23:00:00Z', '2026-03-10T23:00:00Z'), [
      '00:00',
      '06:00',
      '12:00',
      '18:00',
      '24:00',
    ]);
  });

  it('begin with the first hour after the start', () => {
    assert.deepEqual(labels('2026-03-09T21:40:00Z', '2026-03-10T11:00:00Z', 3), [
      '00:00',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
    ]);
  });

  it('are 24 of one hour on a day of 23 hours, and 26 on a day of 25 hours', () => {
    assert.equal(labels('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 1).length, 24);
    assert.equal(labels('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 1).length, 26);
  });
});

describe('decimate', () => {
  it('keeps the extremes of each pixel column', () => {
    const times = Array.from({ length: 60_000 }, (_, index) => index);
    const values = times.map((time) => (time === 31_234 ? 999 : Math.sin(time / 500)));
    const { times: kept, values: shown } = decimate({ times, values }, linearScale([0, 60_000], [0, 800]));
    assert.ok(kept.length <= 4 * 800);
    assert.equal(Math.max(...shown), 999);
    assert.deepEqual(
      kept,
      [...kept].sort((a, b) => a - b),
    );
  });

  it('keeps sparse samples as they are', () => {
    const points = { times: [0, 100, 200], values: [1, 2, 3] };
    assert.deepEqual(decimate(points, linearScale([0, 200], [0, 800])), points);
  });
});

describe('paths', () => {
  const same = linearScale([0, 1], [0, 1]);

  it('a gap is a gap, and a single point is a dot', () => {
    assert.equal(linePath({ times: [0, 1, 9], values: [2, 3, 4] }, same, same, 5), 'M0 2L1 3M9 4h.01');
  });

  it('bars without height are not drawn', () => {
    assert.equal(barsPath([{ x: 0, width: 4, top: 10, bottom: 10 }]), '');
    assert.match(barsPath([{ x: 0, width: 4, top: 0, bottom: 10 }]), /^M0 10/);
  });

  it('boxes are rounded within their size', () => {
    assert.match(boxesPath([{ x: 0, width: 1, top: 0, bottom: 10 }]), /^M0\.5 0/);
  });
});

describe('a cursor', () => {
  it('stays within its limits and reports only moves', () => {
    const cursor = createCursor(96, 200);
    let moves = 0;
    const stop = cursor.subscribe(() => {
      moves += 1;
    });
    assert.equal(cursor.get(), 95);
    cursor.set(95);
    cursor.set(-5);
    stop();
    cursor.set(10);
    assert.deepEqual([cursor.get(), moves], [10, 1]);
  });

  it('moves by the keys of a slider', () => {
    assert.deepEqual(
      ['ArrowLeft', 'ArrowRight', 'PageUp', 'End', 'x'].map((key) => stepOfKey(key, 96)),
      [-1, 1, 4, 96, null],
    );
  });
});
