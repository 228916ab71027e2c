// A database for each test file, cloned from a template that is migrated once per schema.
import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { CITUS_LAYOUT } from '../../src/distributed-tables.ts';
import { createDatabase, type Database } from '../../src/platform/db/database.ts';
import { distribute } from '../../src/platform/db/distribute.ts';
import { loadMigrations, migrate } from '../../src/platform/db/migrate.ts';
import { migrateJobs } from '../../src/platform/jobs/worker.ts';
import { createLogger } from '../../src/platform/log.ts';
import type { Ending } from './ending.ts';

type TestDatabase = { readonly url: string; drop(): Promise<void> };

const TEMPLATE_LOCK = 74_755;
/** `npm test` runs on Citus: every test gets distributed tables. */
export const IS_CITUS = process.env.TEST_POSTGRES?.startsWith('citus:') === true;
const log = createLogger('silent');

/** Closed and dropped at the end. */
export async function openTestDatabase(t: Ending, maxConnections = 4): Promise<Database> {
  return openUntilEnd(t, await createTestDatabase(), maxConnections);
}

function openUntilEnd(t: Ending, database: TestDatabase, maxConnections: number): Database {
  const db = connectToDatabase(database.url, maxConnections);
  t.after(async () => {
    await db.close();
    await database.drop();
  });
  return db;
}

export function connectToDatabase(url: string, maxConnections = 4): Database {
  const db = createDatabase({ maxConnections, log });
  db.attach({ url });
  return db;
}

/** Its name, known after the first database of a process. */
let template: Promise<string> | null = null;

export async function createTestDatabase(): Promise<TestDatabase> {
  // The default strategy would write every page to the write-ahead log.
  template ??= ensureTemplate();
  return createNamed(`template ${await template} strategy file_copy`);
}

/** An empty database, for tests of migrations. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createNamed('');
}

async function createNamed(source: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin((client) => client.query(`create database ${name} ${source}`));
  return {
    url: urlOf(name),
    drop: () => asAdmin(async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  };
}

async function ensureTemplate(): Promise<string> {
  const digest = createHash('sha256')
    .update(
      loadMigrations()
        .map((migration) => migration.checksum)
        .join(),
    )
    .digest('hex')
    .slice(0, 12);
  const name = `template_${digest}`;
  await asAdmin(async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]); // released with the connection
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 1) return;
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft}`);
    const db = connectToDatabase(urlOf(draft), 1);
    await migrate(db, loadMigrations());
    await migrateJobs(db, log);
    if (IS_CITUS) await distributeAlone(db);
    await db.close();
    // Citus keeps a process of its own connected, and a database in use cannot be copied.
    await client.query(`alter database ${draft} allow_connections false`);
    await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [draft]);
    await client.query(`alter database ${draft} rename to ${name}`);
  });
  return name;
}

/** Makes the server a cluster of one node with two shards. */
export async function distributeAlone(
  db: Database,
  layout: Parameters<typeof distribute>[1] = CITUS_LAYOUT,
): Promise<void> {
  await db.query('create extension citus');
  const { host, port } = new pg.Client({ connectionString: serverUrl() });
  await db.query('select citus_set_coordinator_host($1, $2)', [host, port]);
  await db.query('select citus_set_node_property(nodename, nodeport, $1, true) from pg_dist_node', [
    'shouldhaveshards',
  ]);
  await db.query('set citus.shard_count = 2');
  await distribute(db, layout);
}

async function asAdmin<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('Run the tests with "npm test": it starts a PostgreSQL for them.');
  return url;
}

function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}
