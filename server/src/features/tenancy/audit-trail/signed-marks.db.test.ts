// The service signs the marks of the trail. It must not sign what somebody else has put there, because that hides what is missing.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { chainWaiting } from './chain-entries.ts';
import { cutTrail } from './cut-trail.ts';
import { verifyTrail } from './verify-trail.ts';

const db = await openTestDatabase({ after });
const KEY = Buffer.alloc(32, 1);
const OLD = new Date('2020-01-01T00:00:00Z');
const LATER = new Date('2020-06-01T00:00:00Z');

async function add(count: number, at: Date): Promise<void> {
  await db.query(
    `insert into audit_inbox (at, entry) select $1, '{"account_id": null, "actor_id": null, "subject": "users"}' from generate_series(1, $2)`,
    [at, count],
  );
  while (await chainWaiting(db, KEY));
}

/** As a role that owns the database but does not know the key. */
async function tamper(...statements: string[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query("select set_config('tributary.audit_cut', 'on', true)");
    await tx.query('alter table audit_trail disable trigger user');
    for (const sql of statements) await tx.query(sql);
    await tx.query('alter table audit_trail enable trigger user');
  });
}

const verify = () => verifyTrail(db, KEY, { expected: null, after: null, limit: 1_000 });

beforeEach(async () => {
  await tamper('delete from audit_trail', 'delete from audit_marks');
  await add(3, OLD);
  await add(3, LATER);
});

describe('a forged head mark', () => {
  it('behind removed last entries is found, also after further entries', async () => {
    await tamper(
      'delete from audit_trail where position > 4',
      `update audit_marks set position = 4, hash = (select hash from audit_trail where position = 4) where kind = 'head'`,
    );
    const broken = { position: 0, reason: 'the head mark was changed' };
    assert.deepEqual((await verify()).broken, broken);
    await add(2, new Date('2020-07-01T00:00:00Z')); // others than those removed
    await add(1, LATER);
    assert.deepEqual((await verify()).broken, broken);
  });
});

describe('a head mark that is missing or set back', () => {
  for (const [name, statement] of [
    ['missing', `delete from audit_marks where kind = 'head'`],
    [
      'set back',
      `update audit_marks set position = 4, hash = (select hash from audit_trail where position = 4) where kind = 'head'`,
    ],
  ] as const)
    it(`${name}: further entries, and so erasures, are still written behind the last entry, and it is found`, async () => {
      await tamper(statement);
      await add(2, LATER);
      const { broken, entries } = await verify();
      assert.deepEqual([broken?.reason, entries], ['the head mark was changed', 0]);
      const positions = await db.query<{ position: number }>(
        'select position::float8 as position from audit_trail order by 1',
      );
      assert.deepEqual(
        positions.map(({ position }) => position),
        [1, 2, 3, 4, 5, 6, 7, 8],
      );
    });
});

describe('the retention', () => {
  it('removes nothing if entries were given an earlier time', async () => {
    await tamper(`update audit_trail set at = '2019-01-01' where position <= 5`);
    await assert.rejects(cutTrail(db, KEY, OLD), /The audit trail is broken at entry 1: changed\. Nothing was removed/);
    assert.deepEqual((await verify()).broken, { position: 1, reason: 'changed' });
  });

  it('removes nothing behind a forged cut mark', async () => {
    await tamper(
      `insert into audit_marks values ('cut', 2, (select hash from audit_trail where position = 2), 'x')`,
      'delete from audit_trail where position <= 2',
    );
    await assert.rejects(cutTrail(db, KEY, LATER), /broken at entry 2: the cut mark was changed/);
    assert.equal((await verify()).broken?.reason, 'the cut mark was changed');
  });

  it('removes nothing if the beginning is missing', async () => {
    await tamper('delete from audit_trail where position = 1');
    await assert.rejects(cutTrail(db, KEY, LATER), /broken at entry 1: removed/);
    assert.deepEqual((await verify()).broken, { position: 1, reason: 'removed' });
  });

  it('removes old entries of an intact trail, twice', async () => {
    assert.equal(await cutTrail(db, KEY, LATER), 3);
    assert.equal(await cutTrail(db, KEY, LATER), 0);
    await add(1, new Date('2021-01-01T00:00:00Z'));
    assert.equal(await cutTrail(db, KEY, new Date('2020-12-01T00:00:00Z')), 3);
    assert.deepEqual(await verify().then(({ cut, entries, broken }) => ({ cut, entries, broken })), {
      cut: 6,
      entries: 1,
      broken: null,
    });
  });
});
