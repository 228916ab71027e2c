// Samples as columns for charts: single samples, or the lowest and highest value (the sum of totals) of each bucket. Pure.
import { roundTo } from '../../../domain/round-to.ts';
import { SECOND_MS } from '../../../domain/time/durations.ts';

/** Times are `t0` plus the sum of `dt` so far, in steps of `stepMs`. Columns of equal length. */
export type ChartColumns = {
  readonly t0: number;
  readonly stepMs: number;
  readonly dt: readonly number[];
} & ({ readonly values: readonly number[] } | { readonly min: readonly number[]; readonly max: readonly number[] });

/** What a bucket is made of: one sample, or the summary of a block. */
export type Part = { readonly atMs: number; readonly min: number; readonly max: number; readonly sum: number };

export function chartColumnsOfSamples(
  starts: ArrayLike<number>,
  values: ArrayLike<number>,
  decimals: number,
): ChartColumns {
  const times = Array.from(starts);
  const stepMs = times.every((time) => time % SECOND_MS === 0) ? SECOND_MS : 1;
  return { ...packTimes(times, stepMs), values: Array.from(values, (value) => roundTo(value, decimals)) };
}

/** Parts must be sorted by time. Buckets begin at multiples of `stepMs` and empty ones are absent, so that a gap stays a gap. */
export function chartColumnsOfBuckets(
  parts: Iterable<Part>,
  { stepMs, isTotal, decimals }: { readonly stepMs: number; readonly isTotal: boolean; readonly decimals: number },
): ChartColumns {
  const round = (value: number) => roundTo(value, decimals);
  const buckets: { atMs: number; min: number; max: number; sum: number }[] = [];
  for (const { atMs, min, max, sum } of parts) {
    const bucketMs = Math.floor(atMs / stepMs) * stepMs;
    const last = buckets.at(-1);
    if (last?.atMs !== bucketMs) buckets.push({ atMs: bucketMs, min, max, sum });
    else {
      last.min = Math.min(last.min, min);
      last.max = Math.max(last.max, max);
      last.sum += sum;
    }
  }
  const times = packTimes(
    buckets.map(({ atMs }) => atMs),
    stepMs,
  );
  if (isTotal) return { ...times, values: buckets.map(({ sum }) => round(sum)) };
  return { ...times, min: buckets.map(({ min }) => round(min)), max: buckets.map(({ max }) => round(max)) };
}

function packTimes(times: readonly number[], stepMs: number) {
  const t0 = times[0] ?? 0;
  const dt = times.map((time, index) => (time - (times[index - 1] ?? t0)) / stepMs);
  return { t0, stepMs, dt };
}
