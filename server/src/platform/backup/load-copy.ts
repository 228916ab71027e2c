// Fills an empty database from a copy, in one transaction. Until it is complete, the database refuses to start a service.
import type pg from 'pg';
import type { ConnectionTarget, Transaction } from '../db/database.ts';
import { ADVISORY_LOCK, type AppliedMigration, type Migration, migrateWithin, UNFINISHED_COPY } from '../db/migrate.ts';
import { isEmptyDatabase, listTableReferences, listTables, resolvable } from './catalog.ts';
import type { CopiedTable, CopySource } from './contents.ts';
import { asTransaction, withCopyClient } from './copy-client.ts';
import { CopyError } from './copy-error.ts';
import { copyIn } from './copy-in.ts';
import { sortByReferences } from './load-order.ts';
import { quoteNames } from './quote-names.ts';

type LoadOptions = {
  /** Those of this version. */
  readonly migrations: readonly Migration[];
  /** Creates the tables of the job queue, on a connection of its own. */
  readonly prepareJobs: () => Promise<void>;
  /** The last step before the commit. */
  readonly complete?: (tx: Transaction) => Promise<void>;
};

/** Returns the number of rows by table. */
export function loadCopy(
  target: ConnectionTarget,
  source: CopySource,
  options: LoadOptions,
): Promise<ReadonlyMap<string, number>> {
  const { migrations } = options;
  const known = pickMigrations(source.contents, migrations);
  return withCopyClient(target, async (client) => {
    const tx = asTransaction(client);
    await claimEmptyDatabase(tx);
    await options.prepareJobs();
    await client.query('begin');
    await migrateWithin(tx, known); // the tables as they were when the copy was made
    await createPartitions(tx, source);
    const counts = await loadTables(client, source);
    for (const { name, last } of await source.listSequences())
      await tx.query('select setval(to_regclass($1), $2)', [resolvable(name), last]); // nothing for one that is not ours
    await migrateWithin(tx, migrations);
    await options.complete?.(tx);
    await tx.query(`drop schema ${UNFINISHED_COPY}`);
    await client.query('commit');
    return counts;
  });
}

/** The migrations that the copy had, checked against ours. */
function pickMigrations(
  { migrations: applied, version }: { readonly migrations: readonly AppliedMigration[]; readonly version: string },
  migrations: readonly Migration[],
): readonly Migration[] {
  if (applied.length > migrations.length)
    throw new CopyError(
      `The copy was made by version ${version} with ${applied.length} migrations, but this version has only ${migrations.length}. ` +
        `Use version ${version} or newer.`,
    );
  for (const { version: number, name, checksum } of applied)
    if (migrations[number - 1]?.checksum !== checksum)
      throw new CopyError(
        `Migration ${name} of the copy differs from the one of this version. Use the release that made the copy (${version}) and upgrade afterwards.`,
      );
  return migrations.slice(0, applied.length);
}

async function claimEmptyDatabase(tx: Transaction): Promise<void> {
  const [lock] = await tx.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [ADVISORY_LOCK]);
  if (!lock?.held)
    throw new CopyError(
      'Another process migrates or fills this database. Stop all services that use it, and try again.',
    );
  if (!(await isEmptyDatabase(tx)))
    throw new CopyError(
      'The target database is not empty, and nothing was changed. Use an empty database, ' +
        'or for the embedded one another data folder (TRIBUTARY_DATA_DIR).',
    );
  await tx.query(`create schema if not exists ${UNFINISHED_COPY}`);
}

async function createPartitions(tx: Transaction, { contents }: CopySource): Promise<void> {
  for (const { name, parent, bound } of contents.partitions) {
    const [ours] = await tx.query('select 1 where to_regclass($1) is not null', [resolvable(parent)]);
    if (ours)
      await tx.query(`create table if not exists ${resolvable(name)} partition of ${resolvable(parent)} ${bound}`);
  }
}

async function loadTables(client: pg.ClientBase, source: CopySource): Promise<ReadonlyMap<string, number>> {
  const tx = asTransaction(client);
  const present = new Map((await listTables(tx)).map((table) => [table.name, table]));
  // The migrations are those of the copy, so a table that they did not create is not ours.
  const ours = source.contents.tables.filter((table) => present.has(table.name));
  const tables = new Map(ours.map((table) => [table.name, table]));
  for (const table of ours) requireColumns(table, present.get(table.name), source.contents.version);
  const counts = new Map<string, number>();
  const names = sortByReferences([...present.keys()], await listTableReferences(tx));
  for (const name of names.toReversed()) await tx.query(`delete from only ${resolvable(name)}`); // rows that migrations insert
  for (const name of names) {
    const table = tables.get(name);
    if (table) counts.set(name, await loadTable(client, source, table));
  }
  return counts;
}

async function loadTable(client: pg.ClientBase, source: CopySource, table: CopiedTable): Promise<number> {
  const { stream, rows } = source.openTable(table);
  try {
    const count = await copyIn(client, `${resolvable(table.name)} (${quoteNames(table.columns)})`, stream);
    if (count === rows()) return count;
    throw new CopyError(
      `${table.name} has ${rows()} rows in the copy, but ${count} were written. Nothing was changed.`,
    );
  } finally {
    stream.destroy();
  }
}

function requireColumns(table: CopiedTable, present: CopiedTable | undefined, version: string): void {
  const missing = table.columns.filter((column) => !present?.columns.includes(column));
  if (missing.length > 0)
    throw new CopyError(
      `This version has no column ${missing.join(', ')} in ${table.name}. Use the release that made the copy (${version}) and upgrade afterwards.`,
    );
}
