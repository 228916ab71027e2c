// Tests the moving of entries into the chain: how many at a time, with a backlog of lists.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { chainWaiting } from './chain-entries.ts';
import type { TrailFacts } from './trail-entry.ts';

const db = await openTestDatabase({ after });
const KEY = Buffer.alloc(32, 1);

async function addWaiting(entries: readonly Partial<TrailFacts>[]): Promise<void> {
  await db.query(
    `insert into audit_inbox (at, entry) select now(), entry from unnest($1::jsonb[]) as waiting (entry)`,
    [entries.map((entry) => JSON.stringify({ account_id: null, actor_id: null, subject: 'users', ...entry }))],
  );
}

const listOf = (count: number) => ({ users: Array.from({ length: count }, () => randomUUID()) });

/** The numbers of entries that the calls chain, until nothing waits. */
async function chainAll(): Promise<number[]> {
  const counts: number[] = [];
  const count = async () => (await db.query<{ n: number }>('select count(*)::int as n from audit_trail'))[0]?.n ?? 0;
  for (let isMore = true; isMore; ) {
    const before = await count();
    isMore = await chainWaiting(db, KEY);
    counts.push((await count()) - before);
  }
  return counts;
}

describe('waiting entries', () => {
  it('are chained up to 1,000 names at a time, at least one entry', async () => {
    await addWaiting([{}, listOf(999), listOf(1), listOf(1_500), listOf(400), {}, listOf(599)]);
    assert.deepEqual(await chainAll(), [2, 1, 1, 3]);
    assert.deepEqual(await chainAll(), [0]);
  });

  it('are chained up to 500 at a time', async () => {
    await addWaiting(Array.from({ length: 501 }, () => ({})));
    assert.deepEqual(await chainAll(), [500, 1]);
  });
});
