import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createFrozenClock } from '../../../test/support/test-clock.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { leaseTokens } from './lease-store.ts';
import { createLeasedLimiter } from './leased-limiter.ts';

const POLICY = { perSecond: 20, burst: 200 };

const db = await openTestDatabase({ after }, 8);

describe('createLeasedLimiter with the table', () => {
  it('leaves no kept tokens in the table after returns that met requests', async () => {
    const clock = createFrozenClock();
    const limiters = [1, 2].map(() =>
      createLeasedLimiter({ clock, lease: (requests) => leaseTokens(db, requests), takeDebt: () => 0 }),
    );
    for (let round = 0; round < 20; round += 1) {
      for (let call = 0; call < 10; call += 1) for (const limiter of limiters) await limiter.take('a', POLICY);
      clock.advance(1_000);
      await Promise.all(limiters.flatMap((limiter) => [limiter.returnUnused(), limiter.take('a', POLICY)]));
    }
    clock.advance(1_000);
    await Promise.all(limiters.map((limiter) => limiter.returnUnused()));
    const [bucket] = await db.query('select leased + leased_before as leased from rate_buckets');
    assert.deepEqual(bucket, { leased: 0 });
  });
});
