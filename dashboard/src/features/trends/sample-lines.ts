// Columns of samples as lines. Pure.
import type { SampleColumns } from './queries.ts';

type DeviceColumns = SampleColumns['devices'][number];
export type Series = {
  readonly device: number;
  readonly times: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly stepMs: number;
  readonly count: number;
};

export function readSeries(columns: DeviceColumns): Series {
  let time = columns.t0;
  const times = columns.dt.map((steps) => {
    time += steps * columns.step_ms;
    return time;
  });
  const values = columns.v ?? [];
  return {
    device: columns.number,
    times,
    low: columns.min ?? values,
    high: columns.max ?? values,
    stepMs: columns.step_ms,
    count: columns.count,
  };
}

/** From the first index at or after `fromMs` to the first at or after `toMs`, with a neighbour on each side. */
export function sliceSeries(series: Series, fromMs: number, toMs: number): Series {
  const from = Math.max(0, findIndex(series.times, fromMs) - 1);
  const to = findIndex(series.times, toMs) + 1;
  return {
    ...series,
    times: series.times.slice(from, to),
    low: series.low.slice(from, to),
    high: series.high.slice(from, to),
  };
}

function findIndex(times: readonly number[], ms: number): number {
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
 * One path with the lowest and highest value of each pixel column, so that its length depends on the width and not on the number of
 * samples. A distance of more than `gapMs` is a gap.
 */
export function seriesPath({ times, low, high }: Series, x: Scale, y: Scale, gapMs: number): string {
  const parts: string[] = [];
  let [column, bottom, top, last] = [Number.NaN, 0, 0, Number.NEGATIVE_INFINITY];
  let command = 'M';
  const flush = () => {
    if (Number.isNaN(column)) return;
    const [from, to] = [round(y(bottom)), round(y(top))];
    parts.push(`${command}${column} ${from}`, from === to ? (command === 'M' ? 'h.01' : '') : `V${to}`);
  };
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] as number;
    const at = Math.round(x(time) * 2) / 2;
    const [min, max] = [low[index] as number, high[index] as number];
    const isGap = time - last > gapMs;
    last = time;
    if (at === column && !isGap) {
      bottom = Math.min(bottom, min);
      top = Math.max(top, max);
      continue;
    }
    flush();
    command = isGap ? 'M' : 'L';
    [column, bottom, top] = [at, min, max];
  }
  flush();
  return parts.join('');
}

/** The lowest and highest value of all series; null without samples. */
export function rangeOf(series: readonly Series[]): readonly [number, number] | null {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const one of series) {
    for (const value of one.low) low = Math.min(low, value);
    for (const value of one.high) high = Math.max(high, value);
  }
  return low <= high ? [low, high] : null;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
