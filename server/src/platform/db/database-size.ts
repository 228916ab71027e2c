// The size and version of the database.
import type { Queryable } from './database.ts';

export async function readDatabaseSize(db: Queryable): Promise<{ bytes: number; version: string }> {
  const [row] = await db.query<{ bytes: string; version: string }>(
    `select pg_database_size(current_database()) as bytes, current_setting('server_version') as version`,
  );
  return { bytes: Number(row?.bytes ?? 0), version: row?.version ?? '' };
}
