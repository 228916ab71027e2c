// Remembers when each API key was last used. A request costs one map entry; one statement writes all keys every 30 seconds.
import { SECOND_MS } from '../../../domain/time/durations.ts';
import type { BackgroundLoop } from '../../../platform/background-loop.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { oneAtATime, startFlushLoop } from '../../../platform/flush-loop.ts';
import { cleanAgent } from '../../../platform/http/clean-agent.ts';
import type { Logger } from '../../../platform/log.ts';
import { type KeyUse, saveKeyUses } from './key-store.ts';

export type KeyUses = {
  record(keyId: string, userAgent: string | undefined): void;
  /** Writes the uses since the last call. If that fails, the next call writes them. */
  flush(): Promise<void>;
  /** Flushes every 30 seconds, and a last time when it is stopped. */
  start(): BackgroundLoop;
};

const FLUSH_INTERVAL_MS = 30 * SECOND_MS; // an operator looks at days, so half a minute is exact enough

type Use = { atMs: number; userAgent: string | undefined };

export function createKeyUses({ db, clock, log }: { db: Database; clock: Clock; log: Logger }): KeyUses {
  let uses = new Map<string, Use>();

  function record(keyId: string, userAgent: string | undefined): void {
    const use = uses.get(keyId);
    const atMs = clock.now().getTime();
    if (use === undefined) uses.set(keyId, { atMs, userAgent });
    else {
      use.atMs = atMs;
      use.userAgent = userAgent;
    }
  }

  const flush = oneAtATime(async () => {
    if (uses.size === 0) return;
    const flushed = uses;
    uses = new Map();
    try {
      await saveKeyUses(db, [...flushed].map(toKeyUse));
    } catch (error) {
      uses = new Map([...flushed, ...uses]); // newer uses replace those that were not written
      throw error;
    }
  });

  return {
    record,
    flush,
    start: () => startFlushLoop({ name: 'key uses', everyMs: FLUSH_INTERVAL_MS, log, flush }),
  };
}

function toKeyUse([keyId, { atMs, userAgent }]: [string, Use]): KeyUse {
  return { keyId, usedAt: new Date(atMs), userAgent: userAgent === undefined ? null : cleanAgent(userAgent) };
}
