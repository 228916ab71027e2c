// The counts of calls over time.
import type { Column } from '../../shared/ui/list.tsx';
import type { Overview } from './queries.ts';

type UsageBar = { readonly at: string; readonly n: number; readonly bad: number };

const TICKS = 5;

export function sumUsage({ from, bucket_ms, requests }: Overview['series']) {
  const start = Date.parse(from);
  const time = (index: number) => new Date(start + index * bucket_ms).toISOString();
  const bars = requests.n.map((n, index): UsageBar => ({ at: time(index), n, bad: requests.bad[index] ?? 0 }));
  return {
    bars,
    n: bars.reduce((sum, bar) => sum + bar.n, 0),
    bad: bars.reduce((sum, bar) => sum + bar.bad, 0),
    /** Times at equal distances, from the first bar to the end of the last. */
    ticks: Array.from({ length: TICKS }, (_, index) => time((bars.length * index) / (TICKS - 1))),
  };
}

export const usageColumns: readonly Column<UsageBar>[] = [
  { name: 'from', csv: ({ at }) => at, cell: ({ at }) => at },
  { name: 'requests', csv: ({ n }) => n, cell: ({ n }) => n },
  { name: 'failed', csv: ({ bad }) => bad, cell: ({ bad }) => bad },
];
