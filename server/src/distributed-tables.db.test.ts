import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  connectToDatabase,
  createEmptyDatabase,
  createTestDatabase,
  distributeAlone,
  IS_CITUS,
  openTestDatabase,
} from '../test/support/test-database.ts';
import { loadConfig } from './config.ts';
import { CITUS_LAYOUT } from './distributed-tables.ts';
import { DistributionError, distribute, distributeNewTables } from './platform/db/distribute.ts';
import { loadMigrations, migrate } from './platform/db/migrate.ts';
import { createLogger } from './platform/log.ts';
import { prepareDatabase, startDatabase } from './start-database.ts';

describe('distribute', () => {
  it('rejects a database without the extension and says what to do', async (t) => {
    const empty = await createEmptyDatabase();
    const db = connectToDatabase(empty.url);
    t.after(async () => {
      await db.close();
      await empty.drop();
    });
    await assert.rejects(distribute(db, CITUS_LAYOUT), (error) => {
      assert.ok(error instanceof DistributionError);
      assert.match(error.message, /extension citus does not exist.*create extension citus.*Nothing was changed/s);
      return true;
    });
    await distributeNewTables(db, CITUS_LAYOUT); // nothing to do
  });

  it('rejects a second distribution', { skip: !IS_CITUS }, async (t) => {
    const db = await openTestDatabase(t);
    await assert.rejects(distribute(db, CITUS_LAYOUT), /distributed already/);
  });

  it('distributes a new table beside the others after a migration', { skip: !IS_CITUS }, async (t) => {
    const db = await openTestDatabase(t);
    await db.query('create table later_records (user_id uuid not null, id uuid not null, primary key (user_id, id))');
    await distributeNewTables(db, { ...CITUS_LAYOUT, distributed: [...CITUS_LAYOUT.distributed, 'later_records'] });
    const rows = await db.query<{ groups: number }>(
      `select count(distinct colocationid)::int as groups from pg_dist_partition where partmethod = 'h'`,
    );
    assert.equal(rows[0]?.groups, 1);
    await db.query('alter table scores add column later integer');
    await db.query('select later from scores where user_id = $1', ['00000000-0000-4000-8000-000000000000']);
  });

  it('shares tables of a database that an earlier version distributed', { skip: !IS_CITUS }, async (t) => {
    const database = await createEmptyDatabase();
    const db = connectToDatabase(database.url, 1);
    t.after(async () => {
      await db.close();
      await database.drop();
    });
    await migrate(db, loadMigrations());
    await distributeAlone(db, { ...CITUS_LAYOUT, shared: [] });
    await db.query('create table two_phase_commits (id integer primary key)');
    await db.query(`select citus_add_local_table_to_metadata('two_phase_commits')`);
    await db.query(`create function mark_two_phase_commit() returns trigger language plpgsql as
      $$ begin update two_phase_commits set id = id; return null; end $$`);
    await db.query(`create trigger mark_two_phase_commit after insert or update or delete on users
      for each statement execute function mark_two_phase_commit()`);
    await distributeNewTables(db, CITUS_LAYOUT);
    const known = await db.query<{ name: string }>(
      `select logicalrelid::text as name from pg_dist_partition where partmethod = 'n' order by 1`,
    );
    assert.deepEqual(
      known.map(({ name }) => name),
      CITUS_LAYOUT.shared,
    );
    const triggers = await db.query<{ name: string }>(
      `select distinct tgname as name from pg_trigger where tgname in ('mark_two_phase_commit', 'number_event_outbox')`,
    );
    assert.deepEqual(triggers, [{ name: 'number_event_outbox' }]);
  });

  it('is completed by the next start if a start ended between migration and distribution', {
    skip: !IS_CITUS,
  }, async (t) => {
    const database = await createTestDatabase();
    const db = connectToDatabase(database.url);
    t.after(async () => {
      await db.close();
      await database.drop();
    });
    await db.query('drop table data_locks');
    await db.query('create table data_locks (user_id uuid primary key, is_locked boolean not null default true)');
    const config = loadConfig({ DATABASE_URL: database.url });
    const options = { config, log: createLogger('silent'), print: () => undefined };
    await prepareDatabase(options, await startDatabase(options), async () => undefined);
    const rows = await db.query(`select 1 from pg_dist_partition where logicalrelid = 'data_locks'::regclass`);
    assert.equal(rows.length, 1);
  });
});
