// Applies numbered SQL files, forward only. If several processes start at once, one migrates and the others wait.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../cli-error.ts';
import { type Database, type Queryable, statement, type Transaction } from './database.ts';
import { splitStatements } from './split-statements.ts';

export type Migration = {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
};

const READ_SCHEMA_VERSION = statement(
  'read_schema_version',
  'select coalesce(max(version), 0)::int as version from schema_migrations',
);

export class MigrationError extends CliError {}

export const ADVISORY_LOCK = 0x7269_7665; // "rive": any constant that no other program uses in this database
/** A schema that exists while a restore or move fills the database, and is dropped in the transaction that completes it. */
export const UNFINISHED_COPY = 'tributary_unfinished_copy';
const FOLDER = join(import.meta.dirname, '../../../migrations');
const OLDEST_SERVER = 150_000; // PostgreSQL 15

export function loadMigrations(folder = FOLDER): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort();
  return names.map((name, index) => {
    const version = Number(name.slice(0, 4));
    if (version !== index + 1)
      throw new MigrationError(`Migrations must be numbered without gaps: found ${name} at position ${index + 1}.`);
    const sql = readFileSync(join(folder, name), 'utf8');
    return { version, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

/** Applies pending migrations and returns them. */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<Migration[]> {
  await requireServerVersion(db);
  return db.transaction(async (tx) => {
    // One transaction for all, so that a failure leaves the schema unchanged.
    await tx.query('set local statement_timeout = 0');
    await tx.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
    await refuseUnfinishedCopy(tx);
    return migrateWithin(tx, migrations);
  });
}

/** The caller holds the advisory lock. */
export async function migrateWithin(tx: Transaction, migrations: readonly Migration[]): Promise<Migration[]> {
  // Only if it is missing, so that a role without the right to create tables can start on an up-to-date schema.
  const applied = await listApplied(tx);
  if (applied === null)
    await tx.query(
      `create table schema_migrations (
         version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now());
       comment on table schema_migrations is 'Applied migrations. Written at the start of the service, in the transaction of the migration.'`,
    );
  const pending = listPending(applied ?? [], migrations);
  for (const migration of pending) await apply(tx, migration);
  return pending;
}

export type AppliedMigration = Pick<Migration, 'version' | 'name' | 'checksum'>;

/** Null: the database has no tables of Tributary. */
export async function listApplied(db: Queryable): Promise<AppliedMigration[] | null> {
  const [known] = await db.query<{ exists: boolean }>(`select to_regclass('schema_migrations') is not null as exists`);
  if (!known?.exists) return null;
  return db.query('select version, name, checksum from schema_migrations order by version');
}

async function refuseUnfinishedCopy(tx: Transaction): Promise<void> {
  const [row] = await tx.query<{ exists: boolean }>(
    `select to_regnamespace('${UNFINISHED_COPY}') is not null as exists`,
  );
  if (row?.exists)
    throw new MigrationError(
      'A restore or move into this database was interrupted, so it is empty. Run "tributary restore" or "tributary move" again. ' +
        `To start with an empty database instead, drop the schema ${UNFINISHED_COPY} in it.`,
    );
}

/** The newest applied migration. */
export async function readSchemaVersion(db: Queryable): Promise<number> {
  const [row] = await db.query<{ version: number }>(READ_SCHEMA_VERSION);
  return row?.version ?? 0;
}

async function requireServerVersion(db: Queryable): Promise<void> {
  const [row] = await db.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  );
  if (row && row.number < OLDEST_SERVER) {
    throw new MigrationError(
      `PostgreSQL ${row.name} is too old: Tributary needs 15 or newer. Upgrade the server behind DATABASE_URL.`,
    );
  }
}

function listPending(applied: readonly AppliedMigration[], migrations: readonly Migration[]): Migration[] {
  const newest = applied.at(-1);
  if (newest && newest.version > migrations.length) {
    throw new MigrationError(
      `The database is at migration ${newest.version} (${newest.name}), but this version has only ${migrations.length}. ` +
        'Start a version of Tributary at least as new as the one that migrated the database.',
    );
  }
  for (const row of applied) {
    const known = migrations[row.version - 1];
    if (known && known.checksum !== row.checksum) {
      throw new MigrationError(
        `Migration ${known.name} differs from the one that was applied to the database. Nothing was changed. ` +
          'Start the previous version, and update to a release instead of a development branch. ' +
          'If you edited the file yourself, restore it and put the change into a new migration.',
      );
    }
  }
  return migrations.slice(applied.length);
}

async function apply(tx: Transaction, migration: Migration): Promise<void> {
  try {
    for (const one of splitStatements(migration.sql)) await tx.query(one);
  } catch (error) {
    throw new MigrationError(`Migration ${migration.name} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
  await tx.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
    migration.version,
    migration.name,
    migration.checksum,
  ]);
}
