// The rate limits of a service on any number of API processes: in memory while there is one, otherwise shared through Redis or
// the database. While these are unavailable, each process allows its share of the limit.
import { SECOND_MS } from '../../domain/time/durations.ts';
import type { Clock } from '../clock.ts';
import { createMemoryRateLimiter, type RateLimiter, type RatePolicy } from '../http/rate-limit.ts';
import type { Logger } from '../log.ts';
import { withinLimit } from '../within-limit.ts';

const RETRY_AFTER_MS = SECOND_MS;
const ANSWER_LIMIT_MS = 500; // a request must not wait for a server that hangs

export function createSharedLimiter(options: {
  readonly clock: Clock;
  readonly log: Logger;
  /** Called again when the shared storage becomes unavailable. `takeDebt` returns, once, the tokens that this process spent by itself. */
  readonly share: (takeDebt: (key: string) => number) => RateLimiter;
  /** API processes of the service. */
  readonly processes: () => number;
  /** Whether a process that is alone uses memory instead. */
  readonly isLocalAlone: boolean;
  readonly place: 'Redis' | 'the database';
}): RateLimiter {
  const { clock, log, processes, isLocalAlone, place } = options;
  const local = createMemoryRateLimiter(clock);
  let shared = options.share(local.takeSpent);
  let awayUntilMs = Number.NEGATIVE_INFINITY;
  let isAway = false;

  function setAway(cause: unknown): void {
    awayUntilMs = clock.monotonicMs() + RETRY_AFTER_MS;
    if (isAway) return;
    isAway = true;
    shared = options.share(local.takeSpent); // tokens leased before would let a try succeed without reaching the place
    log.warn(
      { err: cause, processes: processes() },
      `${place} is away: each process allows its share of the rate limits`,
    );
  }

  /** One caller tries whether it is back; the others do not wait for that. */
  function leaveTheTryToOne(): void {
    awayUntilMs = clock.monotonicMs() + RETRY_AFTER_MS;
  }

  function setBack(): void {
    if (isAway) log.info({}, `${place} is back: the rate limits are shared again`);
    isAway = false;
    awayUntilMs = Number.NEGATIVE_INFINITY;
  }

  return {
    async take(key, policy, cost = 1) {
      if (isLocalAlone && processes() <= 1) return local.take(key, policy, cost);
      if (clock.monotonicMs() >= awayUntilMs) {
        if (isAway) leaveTheTryToOne();
        try {
          const decision = await withinLimit(shared.take(key, policy, cost), ANSWER_LIMIT_MS);
          setBack();
          return decision;
        } catch (error) {
          setAway(error);
        }
      }
      return local.take(key, policyOfProcess(policy, processes()), cost);
    },
  };
}

/** At least one request, so that a small limit does not become none. */
export function policyOfProcess(policy: RatePolicy, processes: number): RatePolicy {
  if (processes <= 1) return policy;
  return { perSecond: policy.perSecond / processes, burst: Math.max(1, policy.burst / processes) };
}
