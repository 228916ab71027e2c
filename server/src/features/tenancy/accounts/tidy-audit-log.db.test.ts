import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { createFrozenClock } from '../../../../test/support/test-clock.ts';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { Services } from '../../../platform/services.ts';
import { tidyAuditLogJob } from './tidy-audit-log.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const db = await openTestDatabase({ after });

it('removes entries that are older than the retention, in several batches', async () => {
  const insert = `insert into audit_log (id, at, actor, via, action, subject)
    select gen_random_uuid(), $1, 'cli', 'cli', 'account.created', n::text from generate_series(1, $2) n`;
  await db.query(insert, [new Date(NOW.getTime() - 30 * DAY_MS - 1), 1_001]);
  await db.query(insert, [new Date(NOW.getTime() - 30 * DAY_MS), 2]);
  const settings = { auditLogRetentionDays: 30 } as Services['settings'];
  await tidyAuditLogJob.run({ db, clock: createFrozenClock(NOW), settings } as unknown as Services, {});
  const kept = await db.query<{ at: Date }>('select at from audit_log');
  assert.deepEqual(
    kept.map(({ at }) => at.getTime()),
    Array(2).fill(NOW.getTime() - 30 * DAY_MS),
  );
});
