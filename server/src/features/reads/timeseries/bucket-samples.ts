// Aggregates samples in UTC buckets: the mean of levels, the sum of totals. Pure.
// The mean of a bucket longer than a quarter hour is the mean of its quarter-hour means, as for a day (gap G-35).
import { isAdditive, type Metric } from '../../../domain/metrics/index.ts';
import { QUARTER_HOUR_MS, takeShare } from '../../../domain/time/quarter-hours.ts';
import { snap } from '../../store/samples/index.ts';
import type { CanonicalSamples } from './canonical-samples.ts';

type Contribution = { readonly index: number; readonly value: number };

export type Bucket = {
  readonly startMs: number;
  readonly value: number;
  /** The aggregate of each contributor's samples, highest rank first. */
  readonly contributions: readonly Contribution[];
};

type Tally = { count: number; sum: number };
/** By contributor index. */
type Tallies = Map<number, Tally>;

/** The buckets with at least one sample, by time. */
export function bucketSamples(metric: Metric, canonical: CanonicalSamples, bucketMs: number): Bucket[] {
  const isTotal = isAdditive(metric);
  if (isTotal || bucketMs <= QUARTER_HOUR_MS) return tallySamples(canonical, bucketMs, isTotal);
  const quarters = tallySamples(canonical, QUARTER_HOUR_MS, isTotal);
  const buckets = Map.groupBy(quarters, ({ startMs }) => Math.floor(startMs / bucketMs) * bucketMs);
  return [...buckets].map(([startMs, ofBucket]) => ({
    startMs,
    value: average(ofBucket.map(({ value }) => value)),
    contributions: averageContributions(ofBucket.flatMap(({ contributions }) => contributions)),
  }));
}

function averageContributions(contributions: readonly Contribution[]): Contribution[] {
  return [...Map.groupBy(contributions, ({ index }) => index)]
    .sort(([a], [b]) => a - b)
    .map(([index, ofIndex]) => ({ index, value: average(ofIndex.map(({ value }) => value)) }));
}

function average(values: readonly number[]): number {
  return snap(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function tallySamples(canonical: CanonicalSamples, bucketMs: number, isTotal: boolean): Bucket[] {
  const buckets = new Map<number, Tallies>();
  for (let index = 0; index < canonical.count; index += 1) {
    const start = canonical.starts[index] as number;
    const end = isTotal ? (canonical.ends[index] as number) : start;
    const value = canonical.values[index] as number;
    const position = canonical.indexes[index] as number;
    spread(start, end, bucketMs, (number, partStart, partEnd) => {
      const tallies = buckets.getOrInsertComputed(number, () => new Map());
      const tally = tallies.getOrInsertComputed(position, () => ({ count: 0, sum: 0 }));
      tally.count += 1;
      tally.sum += takeShare(value, start, end, partStart, partEnd);
    });
  }
  const worth = ({ count, sum }: Tally) => snap(isTotal ? sum : sum / count);
  return [...buckets]
    .sort(([a], [b]) => a - b)
    .map(([number, tallies]) => ({
      startMs: number * bucketMs,
      value: worth(addTallies(tallies.values())),
      contributions: [...tallies].sort(([a], [b]) => a - b).map(([index, tally]) => ({ index, value: worth(tally) })),
    }));
}

function addTallies(tallies: Iterable<Tally>): Tally {
  const total: Tally = { count: 0, sum: 0 };
  for (const { count, sum } of tallies) {
    total.count += count;
    total.sum += sum;
  }
  return total;
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
