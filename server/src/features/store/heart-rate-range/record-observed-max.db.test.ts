// Which maxima are stored, and the days whose heart-rate zones change with them.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { createTestUser } from '../../../../test/support/test-samples.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { recordObservedMax } from './index.ts';
import { readObservedMax } from './store.ts';

const db = await openTestDatabase({ after });

const DATE = '2026-03-09' as LocalDate;
const YEAR = { from: DATE, to: '2027-03-08' };

describe('recordObservedMax', () => {
  it('stores a maximum above the age formula, and returns the days that it affects', async () => {
    const user = await createTestUser(db);
    assert.deepEqual(await record(user, null, 191.3), YEAR);
    assert.deepEqual(await readStored(user), [191.3]);
    assert.equal(await record(user, 191.3, 191.3), null);
    assert.equal(await record(user, 191.3, 191.300_000_1), null, 'the same in single precision');
    assert.deepEqual(await record(user, 191.3, 189), YEAR);
    assert.deepEqual(await readStored(user), []);
  });

  it('removes a maximum that an earlier version stored below the age formula, and returns no days', async () => {
    const user = await createTestUser(db);
    await db.query('insert into observed_max_heart_rates (user_id, date, bpm) values ($1, $2, 165)', [
      user.userId,
      DATE,
    ]);
    assert.equal(await record(user, 165, 165), null);
    assert.deepEqual(await readStored(user), []);
  });

  it('returns no days if the user entered a maximum', async () => {
    const user = await createTestUser(db);
    await db.query(`update users set profile = '{"max_heart_rate": 200}' where id = $1`, [user.userId]);
    assert.equal(await record(user, null, 195), null);
    assert.deepEqual(await readStored(user), [195]);
  });
});

function record(user: UserHandle, before: number | null, after: number | null) {
  return db.transaction((tx) => recordObservedMax(tx, user, [{ date: DATE, before, after }]));
}

async function readStored(user: UserHandle): Promise<number[]> {
  return (await readObservedMax(db, user, DATE, DATE)).map(({ bpm }) => bpm);
}
