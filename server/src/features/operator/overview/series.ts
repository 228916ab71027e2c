// Turns usage counters into bars and sums. Pure.
import { HOUR_MS, MINUTE_MS } from '../../../domain/time/durations.ts';
import type { UsageKind, UsageSum } from '../../tenancy/usage/index.ts';

export const RANGES = ['hour', 'day', 'week'] as const;
export type OverviewRange = (typeof RANGES)[number];

const BARS: Record<OverviewRange, { readonly bucketMs: number; readonly bars: number }> = {
  hour: { bucketMs: MINUTE_MS, bars: 60 },
  day: { bucketMs: HOUR_MS, bars: 24 }, // whole hours are summed already; half an hour would read 30 times as many counters
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
export function barsOf(range: OverviewRange, now: Date): BarRange {
  const { bucketMs, bars } = BARS[range];
  const end = (Math.floor(now.getTime() / bucketMs) + 1) * bucketMs;
  const minutesFrom = Math.floor((now.getTime() - MINUTES_KEPT_MS) / HOUR_MS) * HOUR_MS;
  return { from: new Date(end - bars * bucketMs), minutesFrom: new Date(minutesFrom), bucketMs, bars };
}

type Bars = { readonly n: readonly number[]; readonly bad: readonly number[] };

export function drawBars(sums: readonly UsageSum[], kind: UsageKind, bars: number): Bars {
  const n = Array<number>(bars).fill(0);
  const bad = Array<number>(bars).fill(0);
  for (const sum of sums) {
    if (sum.kind !== kind || sum.index === null || sum.index < 0 || sum.index >= bars) continue;
    n[sum.index] = (n[sum.index] ?? 0) + sum.n;
    bad[sum.index] = (bad[sum.index] ?? 0) + sum.bad;
  }
  return { n, bad };
}

type Sum = { readonly n: number; readonly bad: number };

export function sumByKey(sums: readonly UsageSum[], kind: UsageKind): ReadonlyMap<string, Sum> {
  const byKey = new Map<string, Sum>();
  for (const { kind: counted, key, n, bad } of sums) {
    if (counted !== kind || key === null) continue;
    const known = byKey.get(key);
    byKey.set(key, known === undefined ? { n, bad } : { n: known.n + n, bad: known.bad + bad });
  }
  return byKey;
}

export function sumUsage(sums: readonly UsageSum[], kind: UsageKind): Sum {
  return [...sumByKey(sums, kind).values()].reduce((total, { n, bad }) => ({ n: total.n + n, bad: total.bad + bad }), {
    n: 0,
    bad: 0,
  });
}
