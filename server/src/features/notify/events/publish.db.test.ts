// Two publishers, as in two worker processes: the second one waits for the first, so that the order of a user's events is kept.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { writeEvent } from '../../../../test/support/test-events.ts';
import { createTestUser } from '../../../../test/support/test-samples.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { publishWaiting, type Subscriber } from './publish.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const DATES = ['2026-02-01', '2026-02-02', '2026-02-03'] as LocalDate[];

describe('publishWaiting', () => {
  it('publishes nothing while another publisher is in its transaction, and keeps the order', async (t) => {
    const db = await openTestDatabase(t);
    const { tenant, userId } = await createTestUser(db);
    for (const date of DATES) await writeEvent(db, tenant, userId, { days: { from: date, to: date } });
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const holding: Subscriber = async () => {
      begun.resolve();
      await released.promise;
    };
    const ignoring: Subscriber = async () => undefined;

    const first = publishWaiting(db, { limit: 1, subscriber: holding, now: NOW });
    await begun.promise;
    // A publisher that did not check would wait for the locked feed head, so it must not be awaited before the release.
    const second = publishWaiting(db, { limit: 1, subscriber: ignoring, now: NOW });
    const third = publishWaiting(db, { limit: 1, subscriber: ignoring, now: NOW });
    const refused = Promise.all([second, third]).finally(() => released.resolve());
    const limit = setTimeout(() => released.resolve(), 20_000); // only if they wait, which fails below
    assert.deepEqual(await refused, [[], []]);
    clearTimeout(limit);
    assert.equal((await first).length, 1);

    assert.equal((await publishWaiting(db, { limit: 10, subscriber: ignoring, now: NOW })).length, 2);
    const published = await db.query(
      `select position::int, body::jsonb ->> 'from_date' as date from feed_events where user_id = $1 order by position`,
      [userId],
    );
    assert.deepEqual(
      published,
      DATES.map((date, index) => ({ position: index + 1, date })),
    );
  });
});
