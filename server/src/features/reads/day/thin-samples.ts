// Samples of a level as columns for a chart: seconds and values, with the extremes of dense parts. Pure.
import { roundTo } from '../../../domain/round-to.ts';
import { MINUTE_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import type { SampleSeries } from '../../../domain/time/quarter-hours.ts';

export type SampleChart = {
  /** Seconds since 1970 of the first sample. */
  readonly t0: number;
  /** Seconds from each sample to the next; the first is 0. */
  readonly dt: readonly number[];
  readonly v: readonly number[];
};

/** More than a chart of a day shows: above it, only the lowest and highest sample of each minute are kept. */
const MAX_SAMPLES = 4_000;

/** Samples that start in [fromMs, toMs). Null: none. */
export function toSampleChart(
  { starts, values }: SampleSeries,
  { fromMs, toMs, decimals }: { readonly fromMs: number; readonly toMs: number; readonly decimals: number },
): SampleChart | null {
  let kept: number[] = [];
  for (let index = 0; index < starts.length; index += 1) {
    const start = starts[index] as number;
    if (start >= fromMs && start < toMs) kept.push(index);
  }
  if (kept.length > MAX_SAMPLES) kept = keepExtremes(kept, starts, values);
  const [first] = kept;
  if (first === undefined) return null;
  const seconds = kept.map((index) => Math.round((starts[index] as number) / SECOND_MS));
  return {
    t0: seconds[0] as number,
    dt: seconds.map((second, index) => second - (seconds[index - 1] ?? second)),
    v: kept.map((index) => roundTo(values[index] as number, decimals)),
  };
}

function keepExtremes(kept: readonly number[], starts: ArrayLike<number>, values: ArrayLike<number>): number[] {
  const minutes = Map.groupBy(kept, (index) => Math.floor((starts[index] as number) / MINUTE_MS));
  return [...minutes.values()].flatMap((indexes) => {
    const by = (pick: (a: number, b: number) => boolean) =>
      indexes.reduce((best, index) => (pick(values[index] as number, values[best] as number) ? index : best));
    const [low, high] = [by((a, b) => a < b), by((a, b) => a > b)];
    return low === high ? [low] : [Math.min(low, high), Math.max(low, high)];
  });
}
