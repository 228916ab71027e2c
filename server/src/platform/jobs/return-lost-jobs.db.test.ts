// Jobs of a worker that no longer renews its row are returned, never those of a running one.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type pg from 'pg';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { Database } from '../db/database.ts';
import { Type } from '../json-schema.ts';
import { createLogger } from '../log.ts';
import type { Services } from '../services.ts';
import { defineJob } from './define-job.ts';
import { createJobQueue } from './job-queue.ts';
import { announceRunner, LEASE_TIMES } from './return-lost-jobs.ts';
import { startJobWorker } from './worker.ts';

const jobQueue = createJobQueue();

const log = createLogger('silent');
/** A lease that a loaded machine keeps. */
const SHORT = { renewMs: 50, leaseMs: 3_000 };
const job = defineJob({ name: 'wait', payload: Type.Object({ owner: Type.String() }), run: async () => undefined });

it('jobs of a dead worker return to the queue within seconds, those of a live one stay', async (t) => {
  const db = await openTestDatabase(t, 8);
  const listRunners = () => db.query('select from job_runners');
  const listOwners = async () => {
    const sql = 'select locked_by from graphile_worker.jobs where locked_by is not null order by 1';
    return (await db.query<{ locked_by: string }>(sql)).map((row) => row.locked_by);
  };
  const living = announceRunner(db, 'pool-living', log, SHORT);
  const other = announceRunner(db, 'pool-other', log, SHORT);
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

it('a runner that was killed is missed when its row is too old; a fresh row keeps its jobs', async (t) => {
  const db = await openTestDatabase(t, 8);
  const take = (owner: string) =>
    db.query(
      `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - interval '1 minute' where payload->>'owner' = $1`,
      [owner],
    );
  await db.query(
    `insert into job_runners (id, seen_at) values ('pool-killed', now() - interval '9 seconds'), ('pool-slow', now() - interval '1 second')`,
  );
  for (const owner of ['pool-killed', 'pool-slow']) {
    await db.transaction((tx) => jobQueue.enqueue(tx, job, { owner }));
    await take(owner);
  }
  const isLocked = async (owner: string) =>
    (await db.query('select from graphile_worker.jobs where locked_by = $1', [owner])).length === 1;
  const living = announceRunner(db, 'pool-living', log, { renewMs: 50, leaseMs: LEASE_TIMES.leaseMs });
  await waitUntil('the killed one is missed', async () => !(await isLocked('pool-killed')));
  assert.ok(await isLocked('pool-slow'));
  await living.end();
});

it('after an outage nobody is missed before everyone had time to renew', async (t) => {
  const db = await openTestDatabase(t, 8);
  let isAway = false;
  const failing: Database = {
    ...db,
    query: ((...args: Parameters<Database['query']>) =>
      isAway ? Promise.reject(new Error('away')) : db.query(...args)) as Database['query'],
  };
  const times = { renewMs: 50, leaseMs: 1_000 };
  const renewed = async () => Number((await db.query<{ n: string }>('select count(*) as n from job_runners'))[0]?.n);
  const living = announceRunner(failing, 'pool-living', log, times);
  await waitUntil('the first row', async () => (await renewed()) === 1);
  isAway = true;
  await waitUntil('its row is older than a lease', async () => {
    const sql = `select from job_runners where id = 'pool-living' and seen_at < now() - $1::int * interval '1 ms'`;
    return (await db.query(sql, [times.leaseMs])).length === 1;
  });
  await db.transaction((tx) => jobQueue.enqueue(tx, job, { owner: 'pool-other' }));
  await db.query(
    `update graphile_worker._private_jobs set locked_by = 'pool-other', locked_at = now() - interval '1 minute'`,
  );
  await db.query(`insert into job_runners (id, seen_at) values ('pool-other', now() - interval '2 seconds')`);
  isAway = false;
  await waitUntil('the row is fresh', async () => {
    const sql = `select from job_runners where id = 'pool-living' and seen_at > now() - interval '500 ms'`;
    return (await db.query(sql)).length === 1;
  });
  assert.equal((await db.query('select from graphile_worker.jobs where locked_by is not null')).length, 1);
  await waitUntil('the other is missed', async () => {
    return (await db.query('select from graphile_worker.jobs where locked_by is not null')).length === 0;
  });
  await living.end();
});

it('a job replaced by a newer one while it ran is not returned, one on its last attempt is', async (t) => {
  const db = await openTestDatabase(t, 8);
  const take = (owner: string) =>
    db.query(
      `update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = now() - interval '1 minute', attempts = max_attempts
        where payload->>'owner' = $1`,
      [owner],
    );
  const enqueue = (owner: string, options = {}) =>
    db.transaction((tx) => jobQueue.enqueue(tx, job, { owner }, options));
  await enqueue('first', { coalesceBy: 'one' });
  await take('first');
  await enqueue('second', { coalesceBy: 'one' });
  await enqueue('last attempt');
  await take('last attempt');
  const runner = announceRunner(db, 'pool-living', log);
  const list = () =>
    db.query<{ owner: string; is_locked: boolean }>(
      `select payload->>'owner' as owner, locked_at is not null as is_locked from graphile_worker._private_jobs order by 1`,
    );
  try {
    await waitUntil('the replaced one is gone and the other is back', async () => {
      const left = await list();
      return left.length === 2 && left.every(({ is_locked }) => !is_locked);
    });
  } finally {
    await runner.end();
  }
  assert.deepEqual(
    (await list()).map(({ owner }) => owner),
    ['last attempt', 'second'],
  );
});

it('a job whose claim response was lost is run by the same worker', async (t) => {
  const db = await openTestDatabase(t, 8);
  const ran: string[] = [];
  const noted = { ...job, run: async (_services: Services, { owner }: { owner: string }) => void ran.push(owner) };
  const connectionsLost = loseAnswers(db.pool(), 'get_job');
  const services = {} as Services; // the job asks for none
  const worker = startJobWorker({ db, services, jobs: [noted], log, observe: () => undefined });
  try {
    await db.transaction((tx) => jobQueue.enqueue(tx, noted, { owner: 'nobody yet' }));
    await waitUntil('the run', () => ran.length > 0);
  } finally {
    await worker.stop();
  }
  assert.equal(connectionsLost(), 1);
  assert.deepEqual(ran, ['nobody yet']);
});

/** As when the line breaks between the commit and its answer: the statement that first returned a row is done and fails. */
function loseAnswers(pool: pg.Pool, name: string): () => number {
  let lost = 0;
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const losing = async (...args: unknown[]) => {
      const result = (await query(...args)) as pg.QueryResult;
      if (lost > 0 || result.rows.length === 0) return result;
      lost += 1;
      throw new Error('Connection terminated unexpectedly');
    };
    const isVictim = (config: unknown) => (config as { name?: string } | null)?.name?.startsWith(name) === true;
    client.query = ((...args: unknown[]) =>
      isVictim(args[0]) ? losing(...args) : query(...args)) as typeof client.query;
  });
  return () => lost;
}
