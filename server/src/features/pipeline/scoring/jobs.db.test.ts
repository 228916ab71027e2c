import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { createLogger } from '../../../platform/log.ts';
import type { Services } from '../../../platform/services.ts';
import { packScoresJob } from './jobs.ts';

const db = await openTestDatabase({ after });

it('packs the scores of all users but those that are locked or invalid', async () => {
  const [locked, invalid, usual] = [randomUUID(), randomUUID(), randomUUID()].sort() as [string, string, string];
  const insert = (userId: string, details: string) =>
    db.query(`insert into scores (user_id, date, details) values ($1, '2026-03-01', $2)`, [userId, details]);
  await insert(locked, '{}');
  await insert(invalid, '{"recovery_score": null}');
  await insert(usual, '{}');
  const lines: string[] = [];
  const log = createLogger('error', { write: (line) => void lines.push(line) });
  await db.transaction(async (tx) => {
    await tx.query('select 1 from scores where user_id = $1 for update', [locked]);
    await packScoresJob.run({ db, log } as unknown as Services, {} as never);
  });
  const left = await db.query<{ user_id: string }>(
    'select user_id from scores where details is not null order by user_id',
  );
  assert.deepEqual(
    left.map((row) => row.user_id),
    [locked, invalid],
  );
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).user_id),
    [invalid],
  );
});
