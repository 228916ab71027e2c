// Decides where the buckets of a process are, and learns how many API processes share them.
import { MINUTE_MS, SECOND_MS } from '../../domain/time/durations.ts';
import { type BackgroundLoop, startLoop } from '../background-loop.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { createMemoryRateLimiter, type RateLimiter } from '../http/rate-limit.ts';
import type { Logger } from '../log.ts';
import { leaseTokens, removeFullBuckets } from './lease-store.ts';
import { createLeasedLimiter, type LeasedLimiter } from './leased-limiter.ts';
import { createRedisLimiter, type RedisLimiter } from './redis-limiter.ts';
import { createSharedLimiter } from './shared-limiter.ts';

export type RateLimits = RateLimiter & {
  /** Counts the API processes once, then regularly. */
  start(): Promise<void>;
  /** Also if it was not started. */
  stop(): Promise<void>;
};

const COUNT_EVERY_MS = SECOND_MS;
const TIDY_EVERY_MS = MINUTE_MS;

export function createRateLimits(options: {
  readonly clock: Clock;
  readonly db: Database;
  readonly log: Logger;
  readonly redisUrl: string | null;
  readonly deploymentId: () => string;
  /** API processes under the same supervisor, this one included. */
  readonly groupSize: number;
  /** Null: there cannot be others. */
  readonly countOthers: (() => Promise<number>) | null;
}): RateLimits {
  const { clock, db, log, redisUrl, groupSize, countOthers } = options;
  if (redisUrl === null && countOthers === null && groupSize <= 1)
    return { ...createMemoryRateLimiter(clock), start: async () => undefined, stop: async () => undefined };
  let others = 0;
  const processes = () => Math.max(groupSize, others + 1);
  let leased: LeasedLimiter | null = null;
  const redis: RedisLimiter | null =
    redisUrl === null ? null : createRedisLimiter(redisUrl, () => `tributary:${options.deploymentId()}:rate:`);
  const limiter = createSharedLimiter({
    clock,
    log,
    processes,
    isLocalAlone: redis === null,
    place: redis === null ? 'the database' : 'Redis',
    share: (takeDebt) => {
      if (redis) return redis;
      leased = createLeasedLimiter({ clock, takeDebt, lease: (requests) => leaseTokens(db, requests) });
      return leased;
    },
  });
  const count = async () => {
    const before = others;
    if (countOthers !== null) others = await countOthers();
    if (others !== before)
      log.info({ processes: processes() }, 'the number of API processes that share rate limits changed');
  };
  let loop: BackgroundLoop | null = null;
  let tidiedMs = clock.monotonicMs();

  async function round(): Promise<boolean> {
    await leased?.returnUnused(); // first, so that no bucket stays while the database is unavailable
    await count();
    const nowMs = clock.monotonicMs();
    if (redis === null && nowMs - tidiedMs > TIDY_EVERY_MS) {
      tidiedMs = nowMs;
      await removeFullBuckets(db);
    }
    return false;
  }

  return {
    ...limiter,
    async start() {
      await count();
      loop = startLoop({ name: 'rate limits', pauseMs: COUNT_EVERY_MS, log, round });
    },
    async stop() {
      await loop?.stop();
      if (loop) await leased?.returnUnused(true).catch(() => undefined); // the buckets fill again by themselves
      await redis?.close();
    },
  };
}
