// Reduces samples to what a line of some pixels can show: the lowest and highest sample of each pixel column. Pure.
import type { Scale } from './scale.ts';

export type Points = { readonly times: readonly number[]; readonly values: readonly number[] };

/** Points in the order of time. Columns with up to two samples keep them all. */
export function decimate({ times, values }: Points, x: Scale): Points {
  const kept: number[] = [];
  let start = 0;
  while (start < times.length) {
    const column = Math.floor(x(times[start] as number));
    let end = start + 1;
    let [low, high] = [start, start];
    for (; end < times.length && Math.floor(x(times[end] as number)) === column; end += 1) {
      if ((values[end] as number) < (values[low] as number)) low = end;
      if ((values[end] as number) > (values[high] as number)) high = end;
    }
    if (end - start <= 2) for (let index = start; index < end; index += 1) kept.push(index);
    else kept.push(...new Set([start, Math.min(low, high), Math.max(low, high), end - 1]));
    start = end;
  }
  return {
    times: kept.map((index) => times[index] as number),
    values: kept.map((index) => values[index] as number),
  };
}
