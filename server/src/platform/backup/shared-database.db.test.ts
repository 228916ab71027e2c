// Databases that Tributary does not have for itself: with extensions, tables of others, and another schema than public.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { connectToDatabase, createEmptyDatabase, createTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../db/database.ts';
import { loadMigrations, migrate } from '../db/migrate.ts';
import { migrateJobs } from '../jobs/worker.ts';
import { createLogger } from '../log.ts';
import { checkBackup, openBackup, withSnapshot, writeBackup } from './index.ts';
import { loadCopy } from './load-copy.ts';

const MIGRATIONS = loadMigrations();
const log = createLogger('silent');

type Opened = { readonly url: string; readonly db: Database };

async function open(t: TestContext, create: typeof createTestDatabase, schema?: string): Promise<Opened> {
  const database = await create();
  const url = new URL(database.url);
  if (schema !== undefined) {
    const admin = connectToDatabase(database.url, 1);
    await admin.query(`create schema ${schema}`);
    await admin.close();
    url.searchParams.set('options', `-c search_path=${schema}`);
  }
  const db = connectToDatabase(url.href, 3);
  t.after(async () => {
    await db.close();
    await database.drop();
  });
  return { url: url.href, db };
}

async function back(t: TestContext, { url }: Opened): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-backup-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return (await withSnapshot({ url }, '1.2.3', (source) => writeBackup(folder, source))).path;
}

async function restore({ url, db }: Opened, path: string): Promise<void> {
  const source = openBackup(path, await checkBackup(path));
  await loadCopy({ url }, source, { migrations: MIGRATIONS, prepareJobs: () => migrateJobs(db, log) });
  assert.deepEqual(await migrate(db, MIGRATIONS), [], 'a service can start');
}

async function addAccount({ db }: Opened): Promise<void> {
  await db.query(
    `insert into accounts (id, name, default_form) values ('018f0000-0000-7000-8000-000000000001', 'acme', 1)`,
  );
}

async function listAccounts({ db }: Opened): Promise<unknown[]> {
  return (await db.query('select name from accounts')).map(({ name }) => name);
}

describe('a backup of a database that others use too', () => {
  it('is restored without their tables, partitions and sequences', async (t) => {
    const source = await open(t, createTestDatabase);
    await addAccount(source);
    await source.db.query(
      `create table not_ours (id serial primary key);
       insert into not_ours default values;
       create table parted_not_ours (at date not null) partition by range (at);
       create table parted_not_ours_2025 partition of parted_not_ours for values from ('2025-01-01') to ('2026-01-01')`,
    );
    const path = await back(t, source);
    const target = await open(t, createEmptyDatabase);
    await target.db.query(
      `create schema other;
       create table other.accounts (id int primary key);
       create table other.users (id int primary key);
       alter table other.accounts add constraint one foreign key (id) references other.users;
       alter table other.users add constraint two foreign key (id) references other.accounts`,
    );
    await restore(target, path);
    assert.deepEqual(await listAccounts(target), ['acme']);
  });

  it('is restored into a database with extensions, whose tables stay as they are', async (t) => {
    const source = await open(t, createTestDatabase);
    await addAccount(source);
    const path = await back(t, source);
    const target = await open(t, createEmptyDatabase);
    await target.db.query(
      `create extension pg_stat_statements;
       create table of_extension as select 1 as value;
       alter extension pg_stat_statements add table of_extension`,
    );
    await restore(target, path);
    assert.deepEqual(await listAccounts(target), ['acme']);
    assert.equal((await target.db.query('select 1 from of_extension')).length, 1);
  });
});

describe('a backup of a database with another schema than public', () => {
  it('has all tables, and is restored into public and into another schema', async (t) => {
    const source = await open(t, createEmptyDatabase, 'health');
    await migrate(source.db, MIGRATIONS);
    await migrateJobs(source.db, log);
    await addAccount(source);
    const path = await back(t, source);
    const target = await open(t, createEmptyDatabase);
    await restore(target, path);
    assert.deepEqual(await listAccounts(target), ['acme']);
    const other = await open(t, createEmptyDatabase, 'other');
    await restore(other, await back(t, target));
    assert.deepEqual(await listAccounts(other), ['acme']);
  });

  it('is refused by a database that has tables in such a schema', async (t) => {
    const path = await back(t, await open(t, createTestDatabase));
    const target = await open(t, createEmptyDatabase, 'health');
    await migrate(target.db, MIGRATIONS);
    await migrateJobs(target.db, log);
    await target.db.query(`select graphile_worker.add_job('erase_user', '{"user_id":"x"}'::json)`);
    await assert.rejects(restore(target, path), /target database is not empty, and nothing was changed/);
    assert.equal((await target.db.query('select 1 from graphile_worker._private_jobs')).length, 1);
  });
});
