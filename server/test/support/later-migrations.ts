// The migrations of a later version: the current ones plus one that changes every table and every row.
import { createHash } from 'node:crypto';
import { loadMigrations, type Migration } from '../../src/platform/db/migrate.ts';

export const ADDED_COLUMN = 'added_by_later_version';

/** The new column is the last one, so only statements without column names can fail. */
const SQL = `
  do $$
  declare
    name regclass;
  begin
    for name in
      select oid from pg_class
       where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname <> 'schema_migrations'
    loop
      execute format('alter table %s add column ${ADDED_COLUMN} integer not null default 1', name);
      execute format('update %s set ${ADDED_COLUMN} = 2', name);
    end loop;
  end $$`;

export function listLaterMigrations(): Migration[] {
  const migrations = loadMigrations();
  const version = migrations.length + 1;
  const name = `${String(version).padStart(4, '0')}_add_column_to_every_table.sql`;
  return [...migrations, { version, name, sql: SQL, checksum: createHash('sha256').update(SQL).digest('hex') }];
}
