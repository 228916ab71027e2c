// Jobs on a real PostgreSQL: enqueued with their transaction, coalesced, retried, run by whichever process has a worker.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { AccountId } from '../../domain/tenancy.ts';
import { Type } from '../json-schema.ts';
import { createLogger } from '../log.ts';
import type { Services } from '../services.ts';
import { defineJob, type Job } from './define-job.ts';
import { createJobQueue, readJobLag } from './job-queue.ts';
import { JOBS_AT_ONCE, startJobWorker } from './worker.ts';

const jobQueue = createJobQueue();
const log = createLogger('silent');
const services = {} as Services; // the jobs below ask for none
const db = await openTestDatabase({ after }, 10);

describe('jobs', () => {
  async function withWorker(jobs: readonly Job[], work: (outcomes: string[]) => Promise<void>): Promise<void> {
    const outcomes: string[] = [];
    const worker = startJobWorker({
      db,
      services,
      jobs,
      log,
      observe: (job, outcome) => void outcomes.push(`${job} ${outcome}`),
    });
    try {
      await work(outcomes);
    } finally {
      await worker.stop();
    }
  }

  it('runs jobs of committed transactions, and none of those rolled back', async () => {
    const ran: number[] = [];
    const job = defineJob({
      name: 'note_number',
      payload: Type.Object({ number: Type.Integer() }),
      run: async (_services, { number }) => void ran.push(number),
    });
    await db.transaction((tx) => jobQueue.enqueue(tx, job, { number: 1 }));
    await assert.rejects(
      db.transaction(async (tx) => {
        await jobQueue.enqueue(tx, job, { number: 2 });
        throw new Error('changed my mind');
      }),
      /changed my mind/,
    );
    assert.equal((await readJobLag(db)).waiting, 1);
    await withWorker([job], async () => void (await waitUntil('the job ran', () => ran.length > 0)));
    assert.deepEqual(ran, [1]);
    assert.equal((await readJobLag(db)).waiting, 0);
  });

  it('runs jobs without an account first, and the first of an account before many of another', async () => {
    const ran: string[] = [];
    const released = Promise.withResolvers<void>();
    const job = defineJob({
      name: 'work',
      payload: Type.Object({ of: Type.String() }),
      async run(_services, payload) {
        ran.push(payload.of);
        await released.promise;
      },
    });
    const [large, small] = [randomUUID() as AccountId, randomUUID() as AccountId];
    await db.transaction(async (tx) => {
      for (let count = 0; count < 40; count += 1) await jobQueue.enqueue(tx, job, { of: 'large' }, { account: large });
      await jobQueue.enqueue(tx, job, { of: 'small' }, { account: small });
      await jobQueue.enqueue(tx, job, { of: 'nobody' });
    });
    await withWorker([job], async () => {
      // Held up, so that the response to the first claim can also arrive after those to later ones.
      await waitUntil('as many jobs as run at once', () => ran.length === JOBS_AT_ONCE || null);
      released.resolve();
      await waitUntil('all jobs', () => ran.length === 42 || null);
    });
    assert.ok(ran.indexOf('nobody') < JOBS_AT_ONCE, ran.join(' '));
    assert.ok(ran.indexOf('small') < 15, ran.join(' '));
  });

  it('merges pending jobs of one key, with the newest payload', async () => {
    const ran: string[] = [];
    const job = defineJob({
      name: 'rebuild',
      payload: Type.Object({ reason: Type.String() }),
      run: async (_services, { reason }) => void ran.push(reason),
    });
    for (const reason of ['first', 'second', 'third']) {
      await db.transaction((tx) => jobQueue.enqueue(tx, job, { reason }, { coalesceBy: 'user-1' }));
    }
    await db.transaction((tx) => jobQueue.enqueue(tx, job, { reason: 'other' }, { coalesceBy: 'user-2' }));
    await withWorker([job], async () => void (await waitUntil('both keys ran', () => ran.length >= 2)));
    assert.deepEqual(ran.sort(), ['other', 'third']);
  });

  it('a change while its job runs starts another run', async () => {
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const ran: string[] = [];
    const job = defineJob({
      name: 'slow_rebuild',
      payload: Type.Object({ reason: Type.String() }),
      async run(_services, { reason }) {
        ran.push(reason);
        if (reason === 'first') {
          started.resolve();
          await release.promise;
        }
      },
    });
    await db.transaction((tx) => jobQueue.enqueue(tx, job, { reason: 'first' }, { coalesceBy: 'user-1' }));
    await withWorker([job], async () => {
      await started.promise;
      await db.transaction((tx) => jobQueue.enqueue(tx, job, { reason: 'second' }, { coalesceBy: 'user-1' }));
      release.resolve();
      await waitUntil('the second run', () => ran.length === 2);
    });
    assert.deepEqual(ran, ['first', 'second']);
  });

  it('retries a failed job, and does not run one with an invalid payload', async () => {
    let tries = 0;
    const flaky = defineJob({
      name: 'flaky',
      payload: Type.Object({}),
      run: async () => {
        tries += 1;
        if (tries === 1) throw new Error('the first time never works');
      },
    });
    await db.transaction((tx) => jobQueue.enqueue(tx, flaky, {}));
    await db.transaction((tx) => jobQueue.enqueue(tx, { ...flaky, name: 'strict' }, { unexpected: true }));
    const strict = defineJob({
      name: 'strict',
      payload: Type.Object({ needed: Type.String() }),
      run: async () => assert.fail('must not run'),
    });
    await withWorker([flaky, strict], async (outcomes) => {
      await waitUntil('the second try', () => tries === 2);
      assert.deepEqual(outcomes.filter((line) => line.startsWith('flaky')).slice(0, 1), ['flaky failed']);
    });
    const [row] = await db.query<{ attempts: number }>(
      `select attempts from graphile_worker.jobs where task_identifier = 'strict'`,
    );
    assert.ok(row && row.attempts >= 1);
  });

  it('counts jobs that keep failing, until they succeed or have no attempts left', async () => {
    const job = defineJob({
      name: 'keeps_failing',
      payload: Type.Object({}),
      maxAttempts: 6,
      run: async () => undefined,
    });
    await db.transaction((tx) => jobQueue.enqueue(tx, job, {}));
    const before = (await readJobLag(db)).retrying;
    const setAttempts = (attempts: number) =>
      db.query(
        `update graphile_worker._private_jobs j set attempts = $1, last_error = 'away' from graphile_worker._private_tasks t
          where t.id = j.task_id and t.identifier = 'keeps_failing'`,
        [attempts],
      );
    for (const [attempts, retrying] of [
      [4, 0],
      [5, 1],
      [6, 0],
    ] as const) {
      await setAttempts(attempts);
      assert.equal((await readJobLag(db)).retrying - before, retrying, `${attempts} attempts`);
    }
    await withWorker([job], async () => undefined);
  });

  it('stopping waits for the running job', async () => {
    const started = Promise.withResolvers<void>();
    let finished = false;
    const job = defineJob({
      name: 'long_job',
      payload: Type.Object({}),
      async run() {
        started.resolve();
        await new Promise((resolve) => setImmediate(resolve));
        finished = true;
      },
    });
    await db.transaction((tx) => jobQueue.enqueue(tx, job, {}));
    await withWorker([job], () => started.promise);
    assert.equal(finished, true);
  });
});
