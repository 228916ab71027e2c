import assert from 'node:assert/strict';
import { it } from 'node:test';
import { connectToDatabase, createTestDatabase } from '../../../test/support/test-database.ts';
import { isUnavailable } from '../errors.ts';
import { statement } from './database.ts';

it('a prepared statement whose result a migration changed is prepared again on a new connection', async (t) => {
  const database = await createTestDatabase();
  const [db, migrating] = [connectToDatabase(database.url, 1), connectToDatabase(database.url, 1)];
  t.after(async () => {
    await Promise.all([db.close(), migrating.close()]);
    await database.drop();
  });
  const lock = statement('lock_marks', 'select mark from marks for update');
  const run = () => db.transaction((tx) => tx.query(lock));
  await migrating.query('create table marks (mark integer)');
  await migrating.query('insert into marks values (1)');
  assert.deepEqual(await run(), [{ mark: 1 }]);
  await migrating.query('alter table marks alter column mark type text');
  await assert.rejects(run(), isUnavailable);
  assert.deepEqual(await run(), [{ mark: '1' }]);
});
