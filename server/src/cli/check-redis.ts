// Asks Redis for what the rate limits need, with the user and the rights of REDIS_URL.
import { setTimeout as delay } from 'node:timers/promises';
import { createRedisLimiter } from '../platform/rate-limits/index.ts';
import { type Finding, warning } from './finding.ts';

const LIMIT_MS = 3_000;
const RETRY_MS = 100; // while it connects
const POLICY = { perSecond: 1, burst: 1 };

/** Only a warning: each process then allows its share of the limits. */
export async function checkRedis(url: string): Promise<Finding> {
  const check = 'Redis';
  const limiter = createRedisLimiter(url, () => 'tributary:doctor:');
  const limit = AbortSignal.timeout(LIMIT_MS);
  try {
    for (;;) {
      const problem = await limiter.take('doctor', POLICY, 0).then(
        () => null,
        ({ message }: Error) => message,
      );
      if (problem === null) return { check, ok: true, found: 'counts the rate limits of all processes' };
      if (limit.aborted) {
        const fix = 'Check REDIS_URL and the server. Until then, each process allows its share of the rate limits.';
        return warning(check, `does not count the rate limits (${problem})`, fix);
      }
      await delay(RETRY_MS);
    }
  } finally {
    await limiter.close();
  }
}
