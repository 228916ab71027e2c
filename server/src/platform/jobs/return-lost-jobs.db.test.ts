// Whose jobs come back: those of a worker that nobody sees any more, never those of one that lives.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import Type from 'typebox';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { createDatabase } from '../db/database.ts';
import { createLogger } from '../log.ts';
import { defineJob } from './define-job.ts';
import { jobQueue } from './job-queue.ts';
import { announceRunner } from './return-lost-jobs.ts';

const log = createLogger('silent');
const job = defineJob({ name: 'wait', payload: Type.Object({ owner: Type.String() }), run: async () => undefined });

it('jobs of a dead worker come back within seconds, those of a living one stay', async (t) => {
  const database = await createTestDatabase();
  const db = createDatabase({ maxConnections: 4, log });
  db.attach({ url: database.url });
  t.after(async () => {
    await db.close();
    await database.drop();
  });
  const listRunners = () =>
    db.query(
      `select from pg_stat_activity where datname = current_database() and application_name like 'tributary pool-%'`,
    );
  const listOwners = async () => {
    const sql = 'select locked_by from graphile_worker.jobs where locked_by is not null order by 1';
    return (await db.query<{ locked_by: string }>(sql)).map((row) => row.locked_by);
  };
  const living = announceRunner(db, 'pool-living', log);
  const other = announceRunner(db, 'pool-other', log);
  await waitUntil('both are seen', async () => (await listRunners()).length === 2);
  for (const owner of ['pool-dead', 'pool-living', 'pool-other']) {
    await db.transaction((tx) => jobQueue.enqueue(tx, job, { owner }));
    await db.query(
      `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - interval '1 minute' where payload->>'owner' = $1`,
      [owner],
    );
  }
  await waitUntil('the dead one is found out', async () => !(await listOwners()).includes('pool-dead'));
  assert.deepEqual(await listOwners(), ['pool-living', 'pool-other']);

  await other.end();
  await waitUntil('the other is missed', async () => !(await listOwners()).includes('pool-other'));
  assert.deepEqual(await listOwners(), ['pool-living']);
  await living.end();
  await waitUntil('nobody is left', async () => (await listRunners()).length === 0);
});
