// What operations asks of the database.
import { type Queryable, statement } from '../../platform/db/database.ts';

const READ_SCHEMA_VERSION = statement(
  'read_schema_version',
  'select coalesce(max(version), 0)::int as version from schema_migrations',
);

export async function readSchemaVersion(db: Queryable): Promise<number> {
  const [row] = await db.query<{ version: number }>(READ_SCHEMA_VERSION);
  return row?.version ?? 0;
}
