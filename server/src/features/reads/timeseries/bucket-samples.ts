// Aggregates samples in UTC buckets: the mean of levels as in a day (gap G-35), the sum of totals. Pure.
import { averageDay } from '../../../domain/consolidate/day-mean.ts';
import { isAdditive, type Metric } from '../../../domain/metrics/index.ts';
import { quarterHourOf, spreadOverQuarterHours, takeShare } from '../../../domain/time/quarter-hours.ts';
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
    buckets.push({ startMs, ...averageBucket(canonical, first, last, endMs) });
    first = last;
  }
  return buckets;
}

function averageBucket(
  canonical: CanonicalSamples,
  first: number,
  last: number,
  endMs: number,
): Pick<Bucket, 'value' | 'contributions'> {
  const { starts, ends, values, indexes } = canonical;
  const contributors = [...new Set(indexes.subarray(first, last))].sort((a, b) => a - b);
  if (contributors.length === 1) {
    const value = average(canonical, first, last, endMs); // without copies, because nearly all samples are of one device
    return { value, contributions: contributors.map((index) => ({ index, value })) };
  }
  const owners = findOwners(canonical, first, last, endMs);
  const contributions = contributors.map((index) => {
    const isOf = (_: number, offset: number) => indexes[first + offset] === index;
    const own = (column: Float64Array) => column.subarray(first, last).filter(isOf);
    const series = { starts: own(starts), ends: own(ends), values: own(values) };
    const isOwner = (_: number, quarter: number) => owners.get(quarter) === index;
    return { index, value: average(series, 0, series.starts.length, endMs, isOwner) };
  });
  const isOfOwner = (at: number, quarter: number) => owners.get(quarter) === indexes[at];
  return { value: average(canonical, first, last, endMs, isOfOwner), contributions };
}

/**
 * The contributor of each quarter hour: that of the levels that begin in it, which consolidation chose; where none begins, the
 * highest-ranked one with a level that reaches it.
 */
function findOwners(
  { starts, ends, indexes }: CanonicalSamples,
  first: number,
  last: number,
  endMs: number,
): ReadonlyMap<number, number> {
  const [owners, reached] = [new Map<number, number>(), new Map<number, number>()];
  for (let at = first; at < last; at += 1) {
    const [start, index] = [starts[at] as number, indexes[at] as number];
    owners.set(quarterHourOf(start), index);
    spreadOverQuarterHours(start, Math.min(ends[at] as number, endMs), (quarter) => {
      reached.set(quarter, Math.min(reached.get(quarter) ?? index, index));
    });
  }
  return new Map([...reached, ...owners]);
}

type Columns = Pick<CanonicalSamples, 'starts' | 'ends' | 'values'>;

function average(
  { starts, ends, values }: Columns,
  first: number,
  last: number,
  endMs: number,
  countsIn?: (index: number, quarter: number) => boolean,
): number {
  let isInstant = true;
  for (let index = first; index < last && isInstant; index += 1)
    isInstant = (ends[index] as number) <= (starts[index] as number);
  return snap(averageDay({ starts, ends: isInstant ? null : ends, values }, first, last, { end: endMs }, countsIn));
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
