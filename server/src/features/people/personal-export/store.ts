// Reads the tables listed in personal-tables.ts in pages of rows that PostgreSQL encodes as JSON.
// This is the only SQL on tables of other features (table-owners.ts). It names only key columns, so that new columns are
// exported too.
import type { PersonId } from '../../../domain/roster.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { ExportedTable } from './personal-tables.ts';

/** The owner of the rows. Both ids come from features that have checked the caller's access. */
export type Owner = { readonly user: UserHandle } | { readonly person: PersonId };

type RowPage = {
  /** One JSON object per row. */
  readonly rows: readonly string[];
  /** The key after which the next page starts; null on the last page. */
  readonly after: readonly string[] | null;
};

const ROWS_PER_PAGE = 200;
const LARGE_ROWS_PER_PAGE = 20;

export async function readRows(
  db: Queryable,
  { table, owner, key, omitted = {}, hasLargeRows = false }: ExportedTable,
  of: Owner,
  after: readonly string[] | null,
): Promise<RowPage> {
  const limit = hasLargeRows ? LARGE_ROWS_PER_PAGE : ROWS_PER_PAGE;
  const columns = key.map((column) => `t.${column}`).join(', ');
  const parameters = key.map((_, index) => `$${index + 4}`).join(', ');
  const found = await db.query<{ row: string; key: string[] }>(
    `select (to_jsonb(t) - $2::text[])::text as row, array[${key.map((column) => `t.${column}::text`).join(', ')}] as key
       from ${table} t where t.${owner} = $1 ${after === null ? '' : `and (${columns}) > (${parameters})`}
      order by ${columns} limit $3`,
    [ownerId(of), Object.keys(omitted), limit, ...(after ?? [])],
  );
  return { rows: found.map(({ row }) => row), after: found.length < limit ? null : (found.at(-1)?.key ?? null) };
}

function ownerId(of: Owner): string {
  return 'user' in of ? of.user.userId : of.person;
}
