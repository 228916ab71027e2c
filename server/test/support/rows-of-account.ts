// Every row that belongs to an account or to one of its users, by table.
import type { Queryable } from '../../src/platform/db/database.ts';

/** Tables whose rows name an account or a user, without those of jobs. */
export async function listAccountTables(db: Queryable): Promise<{ table: string; columns: string[] }[]> {
  return db.query(
    `select c.relname as table, array_agg(a.attname::text order by a.attname) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and (a.attname in ('account_id', 'user_id') or (c.relname in ('accounts', 'users') and a.attname = 'id'))
      group by 1 order by 1`,
  );
}

/** The number of rows by table, where there are any. */
export async function countRowsOf(db: Queryable, ids: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table, columns } of await listAccountTables(db)) {
    const condition = columns.map((column) => `${column} = any($1::uuid[])`).join(' or ');
    const [row] = await db.query<{ count: number }>(`select count(*)::int as count from ${table} where ${condition}`, [
      ids,
    ]);
    if (row && row.count > 0) counts[table] = row.count;
  }
  return counts;
}
