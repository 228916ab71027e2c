import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { createFrozenClock } from '../../../../test/support/test-clock.ts';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import type { Services } from '../../../platform/services.ts';
import { tidySyncJob } from './jobs.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const db = await openTestDatabase({ after });
const services = { db, clock: createFrozenClock(NOW) } as unknown as Services;

it('removes the log of syncs after 30 days, in several batches', async () => {
  const insert = `insert into sync_log (user_id, id, device_id, at, kind, outcome, records, refused, metrics, duration_ms)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $1, 'poll', 'ok', 0, 0, '{}', 1 from generate_series(1, $2) n`;
  await db.query(insert, [new Date('2026-01-30T11:59:59Z'), 1_001]);
  await db.query(insert, [new Date('2026-01-30T12:00:00Z'), 2]);
  await tidySyncJob.run(services, {});
  assert.equal((await db.query('select 1 from sync_log')).length, 2);
});
