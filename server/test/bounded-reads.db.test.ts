// Reads of the newest rows touch a few blocks, however long the history is.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { listEventsAfter, listLatestEvents } from '../src/features/notify/events/index.ts';
import { listScoredDates, readNewestScores } from '../src/features/pipeline/scoring/score-store.ts';
import { readLastRequest } from '../src/features/tenancy/request-log/index.ts';
import type { UserHandle } from '../src/features/tenancy/user-core/index.ts';
import { countBlocks } from './support/count-blocks.ts';
import { openTestDatabase } from './support/test-database.ts';
import { createTestUser } from './support/test-samples.ts';

const db = await openTestDatabase({ after });
const DAYS = 3_650; // on 400 blocks and more
const FEW_BLOCKS = 40;
let user: UserHandle;

const FILL = [
  `insert into scores (user_id, date, strain_score, recovery_score, details)
   select $1, '2020-01-01'::date + n, 100 + n % 900, case when n = 1 then 500 end,
          jsonb_build_object('strain_score', '{}'::jsonb, 'recovery_score', '{}'::jsonb, 'filler', repeat('x', 800))
     from generate_series(1, $2::int) n`,
  `insert into feed_events (account_id, environment, position, id, user_id, type, body, published_at)
   select account_id, environment, n, gen_random_uuid(), id, 'data.updated', repeat('x', 300), now()
     from users, generate_series(1, $2::int) n where id = $1`,
  `insert into request_blocks (account_id, environment, span, size, first_at, last_at, failures, max_ms, routes, users, id_hashes, calls)
   select account_id, environment, 1, 1, now(), now(), 0, 1, '{/}', '{}', '{0}', to_json(repeat('x', 300)) from users, generate_series(1, $2::int) n
    where id = $1`,
];

before(async () => {
  user = await createTestUser(db);
  for (const text of FILL) await db.query(text, [user.userId, DAYS]);
  await db.query('analyze');
});

describe('a long history', () => {
  it('finds the newest day of each score, also of one that is old or was never computed', async () => {
    const blocks = await countBlocks(db, async (counting) => {
      const found = await readNewestScores(counting, user);
      assert.deepEqual(
        found.map(({ type, date }) => [type, date]),
        [
          ['recovery_score', '2020-01-02'],
          ['strain_score', '2029-12-29'],
        ],
      );
    });
    assert.ok(blocks < FEW_BLOCKS, `${blocks} blocks`);
  });

  it('lists the first days with scores', async () => {
    const blocks = await countBlocks(db, (counting) => listScoredDates(counting, user, null, 10));
    assert.ok(blocks < FEW_BLOCKS, `${blocks} blocks`);
  });

  it('lists the latest events, and those after a position', async () => {
    const latest = { types: null, userIds: null, before: null, limit: 10 };
    const reads = [
      (counting: typeof db) => listLatestEvents(counting, user.tenant, latest),
      (counting: typeof db) => listLatestEvents(counting, user.tenant, { ...latest, types: ['data.updated'] }),
      (counting: typeof db) => listLatestEvents(counting, user.tenant, { ...latest, userIds: [user.userId] }),
      (counting: typeof db) => listEventsAfter(counting, user.tenant, 100, 10),
    ];
    for (const [index, read] of reads.entries()) {
      const blocks = await countBlocks(db, (counting) => read(counting as typeof db));
      assert.ok(blocks < FEW_BLOCKS, `read ${index}: ${blocks} blocks`);
    }
  });

  it('finds the newest request', async () => {
    const blocks = await countBlocks(db, (counting) => readLastRequest(counting, user.tenant));
    assert.ok(blocks < FEW_BLOCKS, `${blocks} blocks`);
  });
});
