// Erases a user with ten years of data. A statement may take ten seconds, so no statement may grow with everything the user has.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { removeSamples } from '../../src/features/store/samples/index.ts';
import type { Transaction } from '../../src/platform/db/database.ts';
import { openTestUser } from '../support/test-samples.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const DAYS = 3_650;
const BLOCKS_PER_DAY = 4;
const METRICS = 8;
const DEVICES = 2;
const BLOCKS_OF_A_METRIC = DAYS * BLOCKS_PER_DAY * DEVICES;
const LIMIT_MS = 120_000;

const service = await startTestService();
after(() => service.stop());
const api = service.api();
const { db } = service.running.services;

/** As large as blocks of a watch: a value every few minutes, compressed. The bytes are not read by the erasure. */
const ADD_BLOCKS = `
  insert into sample_blocks (user_id, metric, block, device, payload, min, max, sum, revision, count, first_ms, last_ms, reach_seconds)
  select $1, $2, 60000 + block, device, decode(repeat(md5(block::text), 20), 'hex'), 1, 2, 3, 1, 100, 0, 1, 1
    from generate_series(0, ${DAYS * BLOCKS_PER_DAY - 1}) block, generate_series(1, ${DEVICES}) device`;
/** The month sheets of each device and the canonical ones. */
const ADD_REST = [
  `insert into device_months (user_id, device, month, payload) select $1, device, 24000 + month, decode(repeat(md5('x'), 300), 'hex')
     from generate_series(1, 120) month, generate_series(1, ${DEVICES}) device`,
  `insert into daily_months (user_id, month, payload) select $1, 24000 + month, decode(repeat(md5('x'), 300), 'hex')
     from generate_series(1, 120) month`,
];

describe('a user with ten years of data', () => {
  it('has samples that are removed one metric per statement', async () => {
    const user = await addUser(3);
    const removed: number[] = [];
    await db.dryRun(async (tx) => {
      const count = async () => {
        const [row] = await tx.query<{ blocks: number }>(
          'select count(*)::int as blocks from sample_blocks where user_id = $1',
          [user],
        );
        return row?.blocks ?? 0;
      };
      const counting: Transaction = {
        ...tx,
        async query(text, values) {
          const before = await count();
          const rows = await tx.query(text, values);
          const after = await count();
          if (after < before) removed.push(before - after);
          return rows as never;
        },
      };
      await removeSamples(counting, await openTestUser(tx, user));
      assert.equal(await count(), 0);
    });
    assert.deepEqual(removed, Array(3).fill(BLOCKS_OF_A_METRIC));
  });

  it('is erased', async (t) => {
    const user = await addUser(METRICS);
    const other = await addUser(1);
    const startMs = performance.now();
    assert.equal((await api.delete(`/v1/users/${user}`)).status, 202);
    const isGone = async () => (await db.query('select 1 from users where id = $1', [user])).length === 0;
    await waitUntil('the erasure', isGone, LIMIT_MS);
    t.diagnostic(`${METRICS * BLOCKS_OF_A_METRIC} blocks erased after ${Math.round(performance.now() - startMs)} ms`);
    for (const table of ['sample_blocks', 'device_months', 'daily_months'])
      assert.deepEqual(await db.query(`select 1 from ${table} where user_id = $1 limit 1`, [user]), [], table);
    const kept = await db.query<{ blocks: number }>(
      'select count(*)::int as blocks from sample_blocks where user_id = $1',
      [other],
    );
    assert.deepEqual(kept, [{ blocks: BLOCKS_OF_A_METRIC }], 'another user keeps everything');
  });
});

async function addUser(metrics: number): Promise<string> {
  const { id } = await createUser(api);
  for (let metric = 1; metric <= metrics; metric += 1) await db.query(ADD_BLOCKS, [id, metric]);
  for (const sql of ADD_REST) await db.query(sql, [id]);
  return id;
}
