// Token buckets in the database, shared by all API processes. A process leases tokens of a bucket and spends them without the
// database: one at first, more at once for a busy caller. The table knows how many it keeps for later requests; those that it does not
// use it gives back after a second. A bucket has one statement under way at most, because a statement updates a row once.
import { SECOND_MS } from '../../domain/time/durations.ts';
import { BatchQueue } from '../batch-queue.ts';
import type { Clock } from '../clock.ts';
import type { RateDecision, RateLimiter, RatePolicy } from '../http/rate-limit.ts';
import type { Lease, LeaseRequest } from './lease-store.ts';

export type LeasedLimiter = RateLimiter & {
  /** Returns tokens that were not used for a second or were kept for long, or all of them. */
  returnUnused(isAll?: boolean): Promise<void>;
};

type Bucket = {
  readonly policy: RatePolicy;
  /** Tokens of this process. */
  leased: number;
  /** Tokens that it keeps for later requests, as the table knows it, and the generation they are counted in. */
  kept: number;
  generation: number;
  /** Tokens in the database, as of `knownMs`. */
  level: number;
  knownMs: number;
  usedMs: number;
  /** Tokens to lease beyond those needed; doubles while the caller is busy. */
  ahead: number;
  /** Requests that wait for the next lease: those that spend a token, and those that only check for one. */
  readonly waiting: [checking: number, spending: number];
  leasing: Promise<void> | null;
  /** Tokens that were spent before the bucket was shared. */
  debt: number;
};

const IDLE_MS = SECOND_MS;
const MAX_KEPT_MS = 10 * SECOND_MS; // well before the table forgets them
const AHEAD_SECONDS = 0.25; // of the rate: a busy caller costs a few statements a second, and the others wait little for its tokens
const MAX_BATCH = 500;

export function createLeasedLimiter(options: {
  readonly clock: Clock;
  readonly lease: (requests: readonly LeaseRequest[]) => Promise<readonly Lease[]>;
  /** Tokens that this process let through while it did not share the bucket; called once per bucket. */
  readonly takeDebt: (key: string) => number;
}): LeasedLimiter {
  const { clock, takeDebt } = options;
  const buckets = new Map<string, Bucket>();
  const queue = new BatchQueue<LeaseRequest, Lease>({
    run: options.lease,
    maxItems: MAX_BATCH,
    maxInFlight: 2,
    gatherMs: 0,
  });

  function open(key: string, policy: RatePolicy): Bucket {
    const nowMs = clock.monotonicMs();
    return buckets.getOrInsertComputed(key, () => ({
      policy,
      leased: 0,
      kept: 0,
      generation: 0,
      level: 1, // unknown: ask
      knownMs: nowMs,
      usedMs: nowMs - IDLE_MS,
      ahead: 0,
      waiting: [0, 0],
      leasing: null,
      debt: takeDebt(key),
    }));
  }

  async function lease(key: string, bucket: Bucket): Promise<void> {
    const idleMs = clock.monotonicMs() - bucket.usedMs;
    bucket.ahead = idleMs < IDLE_MS ? Math.min(mostAhead(bucket.policy), Math.max(1, bucket.ahead * 2)) : 0;
    const [checking, spent] = bucket.waiting;
    await settle(key, bucket, { spent, checked: Math.min(1, checking), ahead: bucket.ahead });
  }

  async function giveBack(key: string, bucket: Bucket): Promise<void> {
    await settle(key, bucket, NOTHING);
    if (!isAwaited(bucket)) buckets.delete(key);
  }

  /** If the statement fails, nobody knows whether it took effect: the tokens are lost, and the table forgets those that were kept. */
  async function settle(key: string, bucket: Bucket, asked: Pick<LeaseRequest, 'spent' | 'checked' | 'ahead'>) {
    const { policy, leased, kept: settled, generation, debt } = bucket;
    const idleSeconds = (clock.monotonicMs() - bucket.usedMs) / SECOND_MS;
    bucket.leased = 0;
    bucket.kept = 0;
    const lease = await queue.add({ ...asked, key, policy, returned: leased - debt, settled, generation, idleSeconds });
    bucket.debt -= debt;
    bucket.leased = lease.granted;
    bucket.kept = lease.kept;
    bucket.generation = lease.generation;
    bucket.level = lease.level;
    bucket.knownMs = clock.monotonicMs();
  }

  /** Requests that arrive meanwhile wait for the end of `run`. */
  function exclusively(bucket: Bucket, run: () => Promise<void>): Promise<void> {
    bucket.leasing = Promise.resolve()
      .then(run)
      .finally(() => {
        bucket.leasing = null;
      });
    return bucket.leasing;
  }

  /** Requests that arrive while a lease is under way share it. */
  async function awaitLease(key: string, bucket: Bucket, cost: 0 | 1): Promise<void> {
    bucket.waiting[cost] += 1;
    try {
      await (bucket.leasing ?? exclusively(bucket, () => lease(key, bucket)));
    } finally {
      bucket.waiting[cost] -= 1;
    }
  }

  function spend(bucket: Bucket, cost: 0 | 1): RateDecision {
    const nowMs = clock.monotonicMs();
    const allowed = bucket.leased >= 1;
    if (allowed) bucket.leased -= cost;
    bucket.usedMs = nowMs;
    const { burst, perSecond } = bucket.policy;
    const level = levelOf(bucket, nowMs);
    const tokens = Math.min(burst, level + bucket.leased);
    return {
      allowed,
      remaining: Math.max(0, Math.floor(tokens)),
      retryAfterMs: allowed ? 0 : (Math.max(0, 1 - level) / perSecond) * SECOND_MS,
      fullAfterMs: ((burst - tokens) / perSecond) * SECOND_MS,
    };
  }

  return {
    async take(key, policy, cost = 1) {
      const bucket = open(key, policy);
      while (bucket.leased < 1 && levelOf(bucket, clock.monotonicMs()) >= 1) await awaitLease(key, bucket, cost);
      return spend(bucket, cost);
    },
    async returnUnused(isAll = false) {
      const nowMs = clock.monotonicMs();
      const returns: Promise<void>[] = [];
      for (const [key, bucket] of buckets) {
        if (bucket.leasing !== null || isAwaited(bucket)) continue;
        if (!isAll && !isUnused(bucket, nowMs)) continue;
        if (bucket.leased === bucket.debt && bucket.kept === 0) buckets.delete(key);
        else returns.push(exclusively(bucket, () => giveBack(key, bucket)));
      }
      await Promise.all(returns);
    },
  };
}

const NOTHING = { spent: 0, checked: 0, ahead: 0 };

function isAwaited({ waiting }: Bucket): boolean {
  return waiting.some((requests) => requests > 0);
}

function isUnused({ usedMs, knownMs }: Bucket, nowMs: number): boolean {
  return nowMs - usedMs >= IDLE_MS || nowMs - knownMs >= MAX_KEPT_MS;
}

function mostAhead({ perSecond }: RatePolicy): number {
  return Math.ceil(perSecond * AHEAD_SECONDS);
}

function levelOf({ level, knownMs, policy }: Bucket, nowMs: number): number {
  return Math.min(policy.burst, level + ((nowMs - knownMs) / SECOND_MS) * policy.perSecond);
}
