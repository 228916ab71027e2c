// All SQL of database_sizes.
import { type Queryable, statement } from '../../../platform/db/database.ts';

const SAVE_SIZE = statement(
  'save_database_size',
  'insert into database_sizes (day, bytes) values ($1::timestamptz::date, $2) on conflict (day) do update set bytes = excluded.bytes',
);

export async function saveSize(db: Queryable, now: Date, bytes: number): Promise<void> {
  await db.query(SAVE_SIZE, [now.toISOString(), bytes]);
}

export async function removeSizesBefore(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from database_sizes where day < $1::timestamptz::date', [before.toISOString()]);
}

/** The oldest size since then; null: none was recorded. */
export async function readSizeSince(db: Queryable, since: Date): Promise<{ day: string; bytes: number } | null> {
  const [row] = await db.query<{ day: string; bytes: string }>(
    'select day::text as day, bytes from database_sizes where day >= $1::timestamptz::date order by database_sizes.day limit 1',
    [since.toISOString()],
  );
  return row ? { day: row.day, bytes: Number(row.bytes) } : null;
}
