// Counts what an account does, per minute. A count costs one map entry; one statement adds all of them every five seconds.
import type { Tenant } from '../../../domain/tenancy.ts';
import { MINUTE_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import type { BackgroundLoop } from '../../../platform/background-loop.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { oneAtATime, startFlushLoop } from '../../../platform/flush-loop.ts';
import type { Logger } from '../../../platform/log.ts';
import { addUsage } from './store.ts';
import type { Counted, UsageCount, UsageKind } from './usage-count.ts';

export type Usage = {
  /** `key` is counted apart within the kind; it must come from a small set, such as the keys of an account. */
  count(tenant: Tenant, kind: UsageKind, key: string, counted: Counted): void;
  /** Writes the counts since the last call. If that fails, the next call writes them. */
  flush(): Promise<void>;
  start(): BackgroundLoop;
};

const FLUSH_INTERVAL_MS = 5 * SECOND_MS; // as often as the dashboard's home page looks
const MAX_COUNTS = 50_000; // while the database is unavailable, new counts are dropped beyond this

export function createUsage({ db, clock, log }: { db: Database; clock: Clock; log: Logger }): Usage {
  let counts = new Map<string, UsageCount>();
  let last: UsageCount | null = null; // most calls are counted like the one before

  function add(to: Map<string, UsageCount>, id: string, count: UsageCount): void {
    const known = to.get(id);
    if (known !== undefined) {
      known.n += count.n;
      known.bad += count.bad;
      known.ms += count.ms;
    } else if (to.size < MAX_COUNTS) to.set(id, count);
  }

  const flush = oneAtATime(async () => {
    if (counts.size === 0) return;
    const flushed = counts;
    counts = new Map();
    last = null;
    try {
      await addUsage(db, [...flushed.values()]);
    } catch (error) {
      for (const [id, count] of flushed) add(counts, id, count);
      throw error;
    }
  });

  return {
    count({ accountId, environment }, kind, key, { n, bad, ms }) {
      const minute = Math.floor(clock.now().getTime() / MINUTE_MS);
      const minuteMs = minute * MINUTE_MS;
      if (
        last?.key === key &&
        last.minuteMs === minuteMs &&
        last.kind === kind &&
        last.accountId === accountId &&
        last.environment === environment
      ) {
        last.n += n;
        last.bad += bad;
        last.ms += ms;
        return;
      }
      const id = `${accountId}/${environment}/${minute}/${kind}/${key}`;
      add(counts, id, { accountId, environment, minuteMs, kind, key, n, bad, ms });
      last = counts.get(id) ?? null;
    },
    flush,
    start: () => startFlushLoop({ name: 'usage', everyMs: FLUSH_INTERVAL_MS, log, flush }),
  };
}
