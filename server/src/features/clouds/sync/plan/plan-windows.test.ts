import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitInterval, startOfDays, toFetchWindow, windowBefore } from './plan-windows.ts';

const ms = (text: string) => Date.parse(text);
const write = ({ from, to }: { from: number; to: number }) =>
  [new Date(from), new Date(to)].map((at) => at.toISOString());

describe('fetch windows', () => {
  it('begin at local midnight and touch no more days than allowed', () => {
    const window = windowBefore('Europe/Berlin', ms('2026-03-01T12:00:00Z'), 0, 30);
    assert.deepEqual(write(window), ['2026-01-30T23:00:00.000Z', '2026-03-01T12:00:00.000Z']);
    const { fromDate, toDate } = toFetchWindow('Europe/Berlin', window);
    assert.deepEqual([fromDate, toDate], ['2026-01-31', '2026-03-01']);
  });

  it('do not go back further than the earliest time', () => {
    const earliest = ms('2026-02-20T23:00:00Z');
    assert.equal(windowBefore('Europe/Berlin', ms('2026-03-01T12:00:00Z'), earliest, 30).from, earliest);
  });

  it('split a day of 25 hours into two windows of at most 24, and keep a day of 23 hours whole', () => {
    const long = { from: ms('2026-10-24T22:00:00Z'), to: ms('2026-10-25T23:00:00Z') };
    assert.deepEqual(splitInterval('Europe/Berlin', long, 1).map(write), [
      ['2026-10-24T23:00:00.000Z', '2026-10-25T23:00:00.000Z'],
      ['2026-10-24T22:00:00.000Z', '2026-10-24T23:00:00.000Z'],
    ]);
    const short = { from: ms('2026-03-28T23:00:00Z'), to: ms('2026-03-29T22:00:00Z') };
    assert.equal(splitInterval('Europe/Berlin', short, 1).length, 1);
  });

  it('cover an interval without gap or overlap, newest first', () => {
    const interval = { from: ms('2025-03-03T05:17:00Z'), to: ms('2026-03-01T12:34:56Z') };
    const windows = splitInterval('America/St_Johns', interval, 7);
    assert.equal(windows[0]?.to, interval.to);
    assert.equal(windows.at(-1)?.from, interval.from);
    for (const [index, { from }] of windows.entries())
      if (index > 0) assert.equal(windows[index - 1]?.from, windows[index]?.to, `${from}`);
    assert.equal(splitInterval(null, { from: 5, to: 5 }, 7).length, 0);
  });

  it('count today as a day', () => {
    assert.equal(
      new Date(startOfDays('Asia/Tokyo', ms('2026-03-01T12:00:00Z'), 1)).toISOString(),
      '2026-02-28T15:00:00.000Z',
    );
  });
});
