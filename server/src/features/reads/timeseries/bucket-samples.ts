// Aggregates samples in UTC buckets: the mean of levels as in a day (gap G-35), the sum of totals. Pure.
import { averageDay } from '../../../domain/consolidate/day-mean.ts';
import { isAdditive, type Metric } from '../../../domain/metrics/index.ts';
import { takeShare } from '../../../domain/time/quarter-hours.ts';
import { snap } from '../../store/samples/index.ts';
import type { CanonicalSamples } from './canonical-samples.ts';

type Contribution = { readonly index: number; readonly value: number };

export type Bucket = {
  readonly startMs: number;
  readonly value: number;
  /** The aggregate of each contributor's samples, highest rank first. */
  readonly contributions: readonly Contribution[];
};

/** The buckets with at least one sample, by time. */
export function bucketSamples(metric: Metric, canonical: CanonicalSamples, bucketMs: number): Bucket[] {
  return isAdditive(metric) ? sumSamples(canonical, bucketMs) : averageSamples(canonical, bucketMs);
}

/** A level is in the bucket in which it begins. */
function averageSamples(canonical: CanonicalSamples, bucketMs: number): Bucket[] {
  const { count, starts } = canonical;
  const buckets: Bucket[] = [];
  for (let first = 0; first < count; ) {
    const startMs = Math.floor((starts[first] as number) / bucketMs) * bucketMs;
    const endMs = startMs + bucketMs;
    let last = first + 1;
    while (last < count && (starts[last] as number) < endMs) last += 1;
    const value = average(canonical, first, last, endMs);
    buckets.push({ startMs, value, contributions: averageContributions(canonical, first, last, endMs, value) });
    first = last;
  }
  return buckets;
}

/** Without copies, because nearly all samples are of one device. `value`: that of the bucket. */
function averageContributions(
  { starts, ends, values, indexes }: CanonicalSamples,
  first: number,
  last: number,
  endMs: number,
  value: number,
): Contribution[] {
  const contributors = new Set(indexes.subarray(first, last));
  if (contributors.size === 1) return [...contributors].map((index) => ({ index, value }));
  return [...contributors]
    .sort((a, b) => a - b)
    .map((index) => {
      const isOf = (_: number, offset: number) => indexes[first + offset] === index;
      const own = (column: Float64Array) => column.subarray(first, last).filter(isOf);
      const series = { starts: own(starts), ends: own(ends), values: own(values) };
      return { index, value: average(series, 0, series.starts.length, endMs) };
    });
}

type Columns = Pick<CanonicalSamples, 'starts' | 'ends' | 'values'>;

function average({ starts, ends, values }: Columns, first: number, last: number, endMs: number): number {
  let isInstant = true;
  for (let index = first; index < last && isInstant; index += 1)
    isInstant = (ends[index] as number) <= (starts[index] as number);
  return snap(averageDay({ starts, ends: isInstant ? null : ends, values }, first, last, { end: endMs }));
}

/** The sum of one contributor in one bucket. */
type Sums = Map<number, number>;

function sumSamples(canonical: CanonicalSamples, bucketMs: number): Bucket[] {
  const buckets = new Map<number, Sums>();
  for (let index = 0; index < canonical.count; index += 1) {
    const start = canonical.starts[index] as number;
    const end = canonical.ends[index] as number;
    const value = canonical.values[index] as number;
    const position = canonical.indexes[index] as number;
    spread(start, end, bucketMs, (number, partStart, partEnd) => {
      const sums = buckets.getOrInsertComputed(number, () => new Map());
      sums.set(position, (sums.get(position) ?? 0) + takeShare(value, start, end, partStart, partEnd));
    });
  }
  return [...buckets]
    .sort(([a], [b]) => a - b)
    .map(([number, sums]) => ({
      startMs: number * bucketMs,
      value: snap(sums.values().reduce((sum, part) => sum + part, 0)),
      contributions: [...sums].sort(([a], [b]) => a - b).map(([index, sum]) => ({ index, value: snap(sum) })),
    }));
}

/** Visits the part of a sample in each bucket; a sample without duration is in one bucket. */
function spread(
  start: number,
  end: number,
  bucketMs: number,
  visit: (number: number, partStart: number, partEnd: number) => void,
): void {
  let number = Math.floor(start / bucketMs);
  let partStart = start;
  for (let border = (number + 1) * bucketMs; border < end; border += bucketMs) {
    visit(number, partStart, border);
    partStart = border;
    number += 1;
  }
  visit(number, partStart, end);
}
