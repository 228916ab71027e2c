// Turns usage counters into bars and sums. Pure.
import { HOUR_MS, MINUTE_MS } from '../../../domain/time/durations.ts';
import type { UsageBucket, UsageKind } from '../../tenancy/usage/index.ts';

export const RANGES = ['hour', 'day', 'week'] as const;
export type Range = (typeof RANGES)[number];

const BARS: Record<Range, { readonly bucketMs: number; readonly bars: number }> = {
  hour: { bucketMs: MINUTE_MS, bars: 60 },
  day: { bucketMs: 30 * MINUTE_MS, bars: 48 },
  week: { bucketMs: 3 * HOUR_MS, bars: 56 },
};
const MINUTES_KEPT_MS = 47 * HOUR_MS; // an hour less than they are kept: a job sums them every hour

export type BarRange = {
  readonly from: Date;
  readonly minutesFrom: Date;
  readonly bucketMs: number;
  readonly bars: number;
};

/** The last bar contains now. */
export function barsOf(range: Range, now: Date): BarRange {
  const { bucketMs, bars } = BARS[range];
  const end = (Math.floor(now.getTime() / bucketMs) + 1) * bucketMs;
  const minutesFrom = Math.floor((now.getTime() - MINUTES_KEPT_MS) / HOUR_MS) * HOUR_MS;
  return { from: new Date(end - bars * bucketMs), minutesFrom: new Date(minutesFrom), bucketMs, bars };
}

type Bars = { readonly n: readonly number[]; readonly bad: readonly number[] };

export function drawBars(buckets: readonly UsageBucket[], kind: UsageKind, bars: number): Bars {
  const n = Array<number>(bars).fill(0);
  const bad = Array<number>(bars).fill(0);
  for (const bucket of buckets) {
    if (bucket.kind !== kind || bucket.index < 0 || bucket.index >= bars) continue;
    n[bucket.index] = (n[bucket.index] ?? 0) + bucket.n;
    bad[bucket.index] = (bad[bucket.index] ?? 0) + bucket.bad;
  }
  return { n, bad };
}

type Sum = { readonly n: number; readonly bad: number };

export function sumByKey(buckets: readonly UsageBucket[], kind: UsageKind): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const { kind: counted, key, n, bad } of buckets) {
    if (counted !== kind) continue;
    const sum = sums.get(key) ?? { n: 0, bad: 0 };
    sums.set(key, { n: sum.n + n, bad: sum.bad + bad });
  }
  return sums;
}

export function sumOf(buckets: readonly UsageBucket[], kind: UsageKind): Sum {
  return [...sumByKey(buckets, kind).values()].reduce(
    (total, { n, bad }) => ({ n: total.n + n, bad: total.bad + bad }),
    { n: 0, bad: 0 },
  );
}
