// Token buckets (gap G-43), in memory of one process, behind an interface that shared limits implement too (platform/rate-limits).
import type { Clock } from '../clock.ts';
import { writeRetryAfter } from '../errors.ts';

export type RatePolicy = { readonly perSecond: number; readonly burst: number };
export type RateDecision = {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly retryAfterMs: number;
  readonly fullAfterMs: number;
};
/** `cost` 0 checks for a token without taking it. */
export type RateLimiter = {
  take(bucket: string, policy: RatePolicy, cost?: 0 | 1): Promise<RateDecision>;
};

export type RatePolicies = {
  readonly api_key: RatePolicy;
  readonly user_token: RatePolicy;
  readonly sdk_session: RatePolicy;
  readonly address: RatePolicy;
  /** Wrong secrets, by address. */
  readonly guesses: RatePolicy;
};
export const RATE_POLICIES: RatePolicies = {
  api_key: { perSecond: 100, burst: 200 },
  user_token: { perSecond: 10, burst: 50 },
  sdk_session: { perSecond: 20, burst: 60 },
  address: { perSecond: 50, burst: 200 },
  guesses: { perSecond: 10 / 60, burst: 100 },
};

type Bucket = { tokens: number; updatedMs: number };
const SWEEP_INTERVAL_MS = 10_000; // full buckets are removed, so only recent callers use memory

type MemoryRateLimiter = RateLimiter & {
  readonly size: number;
  /** The tokens that were taken from the bucket and not refilled. Resets their record. */
  takeSpent(key: string): number;
};

export function createMemoryRateLimiter(clock: Clock): MemoryRateLimiter {
  const buckets = new Map<string, Bucket & { readonly policy: RatePolicy }>();
  let sweptMs = clock.monotonicMs();

  return {
    get size() {
      return buckets.size;
    },
    takeSpent(key) {
      const bucket = buckets.get(key);
      if (!bucket) return 0;
      buckets.delete(key);
      return bucket.policy.burst - level(bucket, bucket.policy, clock.monotonicMs());
    },
    async take(key, policy, cost = 1) {
      const nowMs = clock.monotonicMs();
      if (nowMs - sweptMs > SWEEP_INTERVAL_MS) {
        sweptMs = nowMs;
        for (const [name, bucket] of buckets)
          if (level(bucket, bucket.policy, nowMs) >= bucket.policy.burst) buckets.delete(name);
      }
      let bucket = buckets.get(key);
      if (!bucket) {
        bucket = { tokens: policy.burst, updatedMs: nowMs, policy };
        buckets.set(key, bucket);
      }
      bucket.tokens = level(bucket, policy, nowMs);
      bucket.updatedMs = nowMs;
      const allowed = bucket.tokens >= 1;
      if (allowed) bucket.tokens -= cost;
      return {
        allowed,
        remaining: Math.floor(bucket.tokens),
        retryAfterMs: allowed ? 0 : ((1 - bucket.tokens) / policy.perSecond) * 1000,
        fullAfterMs: ((policy.burst - bucket.tokens) / policy.perSecond) * 1000,
      };
    },
  };
}

function level(bucket: Bucket, policy: RatePolicy, nowMs: number): number {
  return Math.min(policy.burst, bucket.tokens + ((nowMs - bucket.updatedMs) / 1000) * policy.perSecond);
}

/** One bucket per IPv4 address or IPv6 /64, because a single subscriber has a whole /64. */
export function addressBucket(address: string | undefined): string {
  if (address === undefined) return 'address:local socket';
  if (!address.includes(':') || address.startsWith('::ffff:')) return `address:${address.replace('::ffff:', '')}`;
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `address:${groups.slice(0, 4).join(':')}::/64`;
}

const policyTexts = new WeakMap<RatePolicy, string>();

function describePolicy(policy: RatePolicy): string {
  return `"requests";q=${policy.burst};w=${Math.ceil(policy.burst / policy.perSecond)}`;
}

/** RateLimit fields as in the IETF draft: quota, remaining, seconds until full. */
export function rateHeaders(policy: RatePolicy, decision: RateDecision): Record<string, string> {
  const headers: Record<string, string> = {
    'ratelimit-policy': policyTexts.getOrInsertComputed(policy, describePolicy),
    ratelimit: `"requests";r=${decision.remaining};t=${Math.ceil(decision.fullAfterMs / 1000)}`,
  };
  if (!decision.allowed) headers['retry-after'] = writeRetryAfter(decision.retryAfterMs);
  return headers;
}
