// The line of a device in two parts: where it is the source, and where it is not. Pure.
import type { Points } from '../../shared/chart/decimate.ts';
import { QUARTER_MS } from '../../shared/time/durations.ts';

export function splitLevels(
  { times, values }: Points,
  device: number,
  sources: readonly (number | null)[],
  fromMs: number,
): { readonly counted: Points; readonly others: Points } {
  const counted = { times: [] as number[], values: [] as number[] };
  const others = { times: [] as number[], values: [] as number[] };
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] as number;
    const part = sources[Math.floor((time - fromMs) / QUARTER_MS)] === device ? counted : others;
    part.times.push(time);
    part.values.push(values[index] as number);
  }
  return { counted, others };
}
