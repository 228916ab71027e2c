// A copy has every row of one snapshot; a damaged or unsuitable copy changes nothing.
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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

const VERSION = '1.2.3';
const MIGRATIONS = loadMigrations();
const log = createLogger('silent');

type Opened = { readonly url: string; readonly db: Database };

async function open(t: TestContext, create: typeof createTestDatabase): Promise<Opened> {
  const database = await create();
  const db = connectToDatabase(database.url, 3);
  t.after(async () => {
    await db.close();
    await database.drop();
  });
  return { url: database.url, db };
}

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-backup-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function back(url: string, folder: string) {
  return withSnapshot({ url }, VERSION, (source) => writeBackup(folder, source));
}

async function restore({ url, db }: Opened, path: string, migrations = MIGRATIONS) {
  const source = openBackup(path, await checkBackup(path));
  return loadCopy({ url }, source, { migrations, prepareJobs: () => migrateJobs(db, log) });
}

/** Large values, all kinds of types, references in both directions of the alphabet, an identity and a job. */
async function fill(db: Database): Promise<void> {
  await db.query(
    `insert into accounts (id, name, default_form) values ('018f0000-0000-7000-8000-000000000001', 'acme', 1)`,
  );
  await db.query(
    `insert into audit_log (id, account_id, environment, at, actor, via, action, subject, details)
     select gen_random_uuid(), '018f0000-0000-7000-8000-000000000001', null, now() - n * interval '1 s', 'cli', 'cli', 'test.filled',
            repeat('ü' || n, 20), jsonb_build_object('n', n) from generate_series(1, 5000) n`,
  );
  await db.query(
    `insert into data_keys (id) values (3);
     insert into master_keys (fingerprint) values ('first'), ('second');
     insert into wrapped_keys (data_key, master_key, wrapped) values (3, 'second', decode(repeat('00ff', 200000), 'hex'))`,
  );
  await db.query(`select graphile_worker.add_job('erase_user', '{"user_id":"x"}'::json)`);
  await db.query(
    `create table parted (at date not null, value text) partition by range (at);
     create table parted_2025 partition of parted for values from ('2025-01-01') to ('2026-01-01');
     insert into parted values ('2025-06-01', 'kept')`,
  );
}

/** Migrations of a version that has the partitioned table, without its partitions. */
const WITH_PARTED = [
  ...MIGRATIONS,
  {
    version: MIGRATIONS.length + 1,
    name: '9999_add_parted.sql',
    checksum: 'x',
    sql: 'create table parted (at date not null, value text) partition by range (at)',
  },
];

async function readAll(db: Database): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {};
  const tables = ['accounts', 'audit_log', 'wrapped_keys', 'master_keys', 'parted', 'graphile_worker._private_jobs'];
  for (const table of tables) all[table] = await db.query(`select * from ${table} t order by t::text collate "C"`);
  return all;
}

describe('a backup', () => {
  it('has every row of one moment, and is restored with sequences, partitions and later migrations', async (t) => {
    const source = await open(t, createTestDatabase);
    await fill(source.db);
    await source.db.query('create table not_ours (value text)');
    await source.db.query(
      `insert into schema_migrations (version, name, checksum) values ($1, '9999_add_parted.sql', 'x')`,
      [MIGRATIONS.length + 1],
    );
    const folder = await makeFolder(t);
    const before = await readAll(source.db);
    const { path, manifest } = await withSnapshot({ url: source.url }, VERSION, async (snapshot) => {
      await source.db.query(
        `insert into accounts (id, name, default_form) values ('018f0000-0000-7000-8000-000000000002', 'later', 1)`,
      );
      return writeBackup(folder, snapshot);
    });
    assert.equal(manifest.tables.find(({ name }) => name === 'public.audit_log')?.rows, 5000);
    assert.deepEqual(manifest.masterKeys, ['first', 'second']);
    assert.deepEqual(await readdir(folder), [path.split('/').at(-1)], 'no unfinished folder');

    const target = await open(t, createEmptyDatabase);
    const later = {
      version: WITH_PARTED.length + 1,
      name: 'later.sql',
      checksum: 'y',
      sql: 'alter table accounts add later int default 7',
    };
    const counts = await restore(target, path, [...WITH_PARTED, later]);
    assert.equal(counts.get('public.accounts'), 1, 'not the one that was created during the backup');
    const [account] = await target.db.query('select later from accounts');
    assert.equal(account?.later, 7);
    assert.equal(counts.has('public.not_ours'), false, 'a table that no migration creates is not restored');
    await target.db.query('alter table accounts drop later');
    assert.deepEqual(await readAll(target.db), before);
    const [next] = await target.db.query<{ number: number }>(
      `insert into master_keys (fingerprint) values ('third') returning number`,
    );
    assert.equal(next?.number, 3, 'sequences continue');
    assert.deepEqual(await migrate(target.db, [...WITH_PARTED, later]), [], 'a service can start');
  });

  it('is refused if a file was changed, removed or never completed', async (t) => {
    const source = await open(t, createTestDatabase);
    const folder = await makeFolder(t);
    const { path } = await back(source.url, folder);
    const target = await open(t, createEmptyDatabase);
    const file = join(path, 'tables/public.accounts.copy.zst');
    const good = await readFile(file);
    await appendFile(file, 'x');
    await assert.rejects(restore(target, path), /public\.accounts\.copy\.zst is missing or differs .* use another one/);
    await rm(file);
    await assert.rejects(restore(target, path), /public\.accounts\.copy\.zst is missing or differs/);
    await writeFile(file, good);
    const manifest = await readFile(join(path, 'manifest.json'), 'utf8');
    await writeFile(join(path, 'manifest.json'), manifest.replace(VERSION, '1.2.4'));
    await assert.rejects(restore(target, path), /manifest\.json is missing or differs/);
    await rm(join(path, 'SHA256SUMS'));
    await assert.rejects(restore(target, path), /not a complete backup: it has no SHA256SUMS/);
    assert.deepEqual(await target.db.query(`select 1 from pg_class where relnamespace = 'public'::regnamespace`), []);
  });

  it('is refused by a database that is not empty, and by an older version', async (t) => {
    const source = await open(t, createTestDatabase);
    const { path } = await back(source.url, await makeFolder(t));
    await assert.rejects(restore(source, path), /target database is not empty, and nothing was changed/);
    const target = await open(t, createEmptyDatabase);
    await assert.rejects(restore(target, path, MIGRATIONS.slice(0, 5)), /made by version 1\.2\.3 .* has only 5/);
    const edited = MIGRATIONS.map((each) => (each.version === 2 ? { ...each, checksum: 'edited' } : each));
    await assert.rejects(restore(target, path, edited), /Migration 0002_\S+ of the copy differs .* upgrade afterwards/);
  });

  it('that fails half-way leaves a database that no service starts on, and that a second restore fills', async (t) => {
    const source = await open(t, createTestDatabase);
    await source.db.query(
      `insert into accounts (id, name, default_form) values ('018f0000-0000-7000-8000-000000000001', 'acme', 1)`,
    );
    const { path, manifest } = await back(source.url, await makeFolder(t));
    const target = await open(t, createEmptyDatabase);
    const wrong = { ...manifest, tables: manifest.tables.map((table) => ({ ...table, rows: table.rows + 1 })) };
    const options = { migrations: MIGRATIONS, prepareJobs: () => migrateJobs(target.db, log) };
    await assert.rejects(loadCopy({ url: target.url }, openBackup(path, wrong), options), /rows in the copy, but/);
    const file = join(path, 'tables/public.accounts.copy.zst');
    const good = await readFile(file);
    await writeFile(file, 'not compressed');
    await assert.rejects(loadCopy({ url: target.url }, openBackup(path, manifest), options), {
      code: 'ZSTD_error_prefix_unknown',
    });
    await writeFile(file, good);
    await assert.rejects(migrate(target.db, MIGRATIONS), /restore or move into this database was interrupted/);
    await restore(target, path);
    assert.deepEqual(await migrate(target.db, MIGRATIONS), []);
    assert.equal((await target.db.query('select 1 from accounts')).length, 1);
  });
});
