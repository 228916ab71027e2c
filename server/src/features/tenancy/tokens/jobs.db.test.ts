import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { createFrozenClock } from '../../../../test/support/test-clock.ts';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import type { Services } from '../../../platform/services.ts';
import { removeExpiredTokensJob } from './jobs.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const db = await openTestDatabase({ after });
const services = { db, clock: createFrozenClock(NOW) } as unknown as Services;

it('removes expired tokens in several batches', async () => {
  const insert = `insert into mobile_tokens (secret_hash, user_id, scopes, expires_at)
    select sha256(($1 || n)::bytea), gen_random_uuid(), '{}', $1::timestamptz from generate_series(1, $2) n`;
  await db.query(insert, ['2026-02-28T11:59:59Z', 1_001]);
  await db.query(insert, ['2026-02-28T12:00:00Z', 2]);
  await removeExpiredTokensJob.run(services, {});
  assert.equal((await db.query('select 1 from mobile_tokens')).length, 2);
});
