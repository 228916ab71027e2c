// Several workers score: one of them claims each user, and another one if that worker dies.
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { createTestUser } from '../../../../test/support/test-samples.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { queueDays } from './queue-store.ts';
import { claimDueUsers, postponeEntry, readQueueEntry, saveQueueEntry } from './store.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const db = await openTestDatabase({ after });

const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const days = [{ from: '2026-02-28' as LocalDate, to: '2026-02-28' as LocalDate }];

async function queueUsers(count: number): Promise<UserHandle[]> {
  await db.query('delete from scoring_queue');
  const users: UserHandle[] = [];
  for (let index = 0; index < count; index += 1) {
    const user = await createTestUser(db, 'Europe/Berlin');
    await db.transaction((tx) => queueDays(tx, user, days, 'decided', at(-60)));
    users.push(user);
  }
  return users;
}

const claim = async (seconds: number, limit: number) =>
  (await claimDueUsers(db, { now: at(seconds), until: at(seconds + 10) }, limit)).map(({ userId }) => userId);

it('workers that claim at the same time get different users', async () => {
  const users = await queueUsers(9);
  const claimed = await Promise.all([claim(0, 3), claim(0, 3), claim(0, 3)]);
  const all = [...claimed.flat(), ...(await claim(0, 9))]; // a row that was locked is skipped and taken later
  assert.deepEqual(all.sort(), users.map(({ userId }) => userId).sort());
  assert.deepEqual(await claim(9, 9), []);
});

it('the users of a dead worker are claimed again when its claim ends', async () => {
  const [user] = await queueUsers(1);
  assert.deepEqual(await claim(0, 9), [user?.userId]);
  assert.deepEqual(await claim(9, 9), []);
  assert.deepEqual(await claim(10, 9), [user?.userId]);
});

it('a run ends the claim, whether it succeeds or fails', async () => {
  const [user] = await queueUsers(1);
  assert.ok(user);
  assert.deepEqual(await claim(0, 9), [user.userId]);
  await postponeEntry(db, user.userId, at(-3_600)); // due again in the past
  assert.deepEqual(await claim(1, 9), [user.userId]);
  await db.transaction(async (tx) => {
    const entry = await readQueueEntry(tx, user);
    assert.ok(entry);
    await saveQueueEntry(tx, user, { ...entry, dueAt: at(1) });
  });
  assert.deepEqual(await claim(2, 9), [user.userId]);
});

it('a user is claimed before the many of another account that wait longer', async () => {
  const users = await queueUsers(12);
  const last = users.at(-1);
  assert.ok(last);
  await db.query('update scoring_queue set account_id = $1 where user_id <> $2', [
    users[0]?.tenant.accountId,
    last.userId,
  ]);
  await db.query('update scoring_queue set due_at = $1 where user_id = $2', [at(-1), last.userId]);
  const claimed = await claim(0, 5);
  assert.deepEqual([claimed.length, claimed.indexOf(last.userId)], [5, 1]);
  assert.equal((await claim(1, 20)).length, 7);
});

it('a user is claimed although an account has thousands of users that wait longer, and thousands that wait shorter', async () => {
  const users = await queueUsers(2);
  const [first, between] = users;
  assert.ok(first && between);
  await db.query(
    `insert into scoring_queue (user_id, account_id, environment, due_at)
     select gen_random_uuid(), $1, 'sandbox', due_at from unnest($2::timestamptz[]) as due_at, generate_series(1, 6000)`,
    [first.tenant.accountId, [at(-60), at(-1)]],
  );
  await db.query('update scoring_queue set due_at = $1 where user_id = $2', [at(-30), between.userId]);
  assert.ok((await claim(0, 5)).includes(between.userId));
});
