// Columns of samples as lines. Pure.
import type { SampleColumns } from './queries.ts';

type DeviceColumns = SampleColumns['devices'][number];
export type Series = {
  readonly device: number;
  readonly times: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly stepMs: number;
};

export function readSeries(columns: DeviceColumns): Series {
  let time = columns.t0;
  const times = Float64Array.from(columns.dt, (steps) => {
    time += steps * columns.step_ms;
    return time;
  });
  const { v = [], min = v, max = v } = columns;
  const low = Float64Array.from(min);
  return {
    device: columns.number,
    times,
    low,
    high: max === min ? low : Float64Array.from(max),
    stepMs: columns.step_ms,
  };
}

/** From the first index at or after `fromMs` to the first at or after `toMs`, with a neighbour on each side. */
export function sliceSeries(series: Series, fromMs: number, toMs: number): Series {
  const from = Math.max(0, findIndex(series.times, fromMs) - 1);
  const to = findIndex(series.times, toMs) + 1;
  return {
    ...series,
    times: series.times.subarray(from, to),
    low: series.low.subarray(from, to),
    high: series.high.subarray(from, to),
  };
}

function findIndex(times: Float64Array, ms: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Scale = (value: number) => number;

/**
 * One path with the lowest and highest value of each column of pixels, or of half pixels, so that its length depends on the
 * width and not on the number of samples. A distance of more than `gapMs` is a gap.
 */
export function seriesPath({ times, low, high }: Series, x: Scale, y: Scale, gapMs: number, perPixel: 1 | 2): string {
  let path = '';
  let [column, bottom, top, last] = [Number.NaN, 0, 0, Number.NEGATIVE_INFINITY];
  let isStart = true;
  const flush = () => {
    if (Number.isNaN(column)) return;
    const [from, to] = [tenths(y(bottom)), tenths(y(top))];
    path += `${isStart ? 'M' : 'L'}${tenths(column)} ${from}`;
    if (from !== to) path += `V${to}`;
    else if (isStart) path += 'h.01';
  };
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] as number;
    const at = Math.round(x(time) * perPixel) / perPixel;
    const isGap = time - last > gapMs;
    const min = low[index] as number;
    const max = high[index] as number;
    last = time;
    if (at === column && !isGap) {
      if (min < bottom) bottom = min;
      if (max > top) top = max;
      continue;
    }
    flush();
    isStart = isGap;
    column = at;
    bottom = min;
    top = max;
  }
  flush();
  return path;
}

/** The lowest and highest value of all series; null without samples. */
export function rangeOf(series: readonly Series[]): readonly [number, number] | null {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { low, high } of series)
    for (let index = 0; index < low.length; index += 1) {
      lowest = Math.min(lowest, low[index] as number);
      highest = Math.max(highest, high[index] as number);
    }
  return lowest <= highest ? [lowest, highest] : null;
}

/** Texts of coordinates in tenths of a pixel: a path repeats them, and writing each number again took half of its time. */
const written: string[] = [];
const MAX_WRITTEN = 40_000; // as wide as any screen; only the neighbours of the visible samples are beyond it

function tenths(value: number): string {
  const rounded = Math.round(value * 10);
  if (!(rounded >= 0 && rounded < MAX_WRITTEN)) return String(rounded / 10);
  written[rounded] ??= String(rounded / 10);
  return written[rounded];
}
