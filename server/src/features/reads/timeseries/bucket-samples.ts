// Samples summed up by UTC buckets: the mean of levels, the sum of totals. Pure.
// The mean of a bucket of several quarter hours is the mean of their means, as that of a day is (gap G-35).
import { isAdditive, type Metric } from '../../../domain/metrics/index.ts';
import { QUARTER_HOUR_MS, takeShare } from '../../../domain/time/quarter-hours.ts';
import { snap } from '../../store/samples/index.ts';
import type { CanonicalSamples } from './canonical-samples.ts';

export type Share = { readonly index: number; readonly value: number };

export type Bucket = {
  readonly startMs: number;
  readonly value: number;
  /** What each contributor's own samples come to, best ranked first. */
  readonly shares: readonly Share[];
};

type Tally = { count: number; sum: number };
/** By place. */
type Tallies = Map<number, Tally>;

/** Those with a sample, by time. */
export function bucketSamples(metric: Metric, chosen: CanonicalSamples, bucketMs: number): Bucket[] {
  const isTotal = isAdditive(metric);
  if (isTotal || bucketMs <= QUARTER_HOUR_MS) return tallySamples(chosen, bucketMs, isTotal);
  const quarters = tallySamples(chosen, QUARTER_HOUR_MS, isTotal);
  const buckets = Map.groupBy(quarters, ({ startMs }) => Math.floor(startMs / bucketMs) * bucketMs);
  return [...buckets].map(([startMs, ofBucket]) => ({
    startMs,
    value: average(ofBucket.map(({ value }) => value)),
    shares: averageShares(ofBucket.flatMap(({ shares }) => shares)),
  }));
}

function averageShares(shares: readonly Share[]): Share[] {
  return [...Map.groupBy(shares, ({ index }) => index)]
    .sort(([a], [b]) => a - b)
    .map(([index, ofPlace]) => ({ index, value: average(ofPlace.map(({ value }) => value)) }));
}

function average(values: readonly number[]): number {
  return snap(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function tallySamples(chosen: CanonicalSamples, bucketMs: number, isTotal: boolean): Bucket[] {
  const buckets = new Map<number, Tallies>();
  for (let index = 0; index < chosen.count; index += 1) {
    const start = chosen.starts[index] as number;
    const end = isTotal ? (chosen.ends[index] as number) : start;
    const value = chosen.values[index] as number;
    const position = chosen.indexes[index] as number;
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
      shares: [...tallies].sort(([a], [b]) => a - b).map(([index, tally]) => ({ index, value: worth(tally) })),
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

/** A moment is in one bucket, whole. */
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
