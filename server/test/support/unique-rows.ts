// Fills every column of a table with a unique value, so that a test can search for it.

import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import type { Queryable } from '../../src/platform/db/database.ts';

type Column = { readonly name: string; readonly type: string; readonly isGenerated: boolean };
type Fixed = Readonly<Record<string, unknown>>;

export async function listColumns(db: Queryable, table: string): Promise<Column[]> {
  return db.query<Column>(
    `select column_name as name, case data_type when 'ARRAY' then udt_name else data_type end as type, is_identity = 'YES' as "isGenerated"
       from information_schema.columns where table_schema = 'public' and table_name = $1 order by ordinal_position`,
    [table],
  );
}

/** Inserts a row; `fixed` columns keep the given values because other rows depend on them. */
export async function insertUniqueRow(db: Queryable, table: string, fixed: Fixed): Promise<void> {
  const columns = (await listColumns(db, table)).filter(({ isGenerated }) => !isGenerated);
  const values = columns.map((column) => fixed[column.name] ?? makeUniqueValue(table, column));
  await db.query(
    `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) values (${values.map((_, index) => `$${index + 1}`).join(', ')})`,
    values,
  );
}

let count = 0;

function makeUniqueValue(table: string, { name, type }: Column): unknown {
  count += 1;
  const text = `MARK ${table}.${name}`;
  const time = new Date(Date.UTC(2031, 0, 1) + count * DAY_MS);
  switch (type) {
    case 'text':
      return text;
    case '_text':
      return [text];
    case 'uuid':
      return randomUUID();
    case 'json':
    case 'jsonb':
      return JSON.stringify({ mark: text });
    case 'bytea':
      return Buffer.from(text);
    case 'boolean':
      return true;
    case 'date':
      return time.toISOString().slice(0, 10);
    case 'timestamp with time zone':
      return time;
    case 'datemultirange':
      return `{[${time.toISOString().slice(0, 10)},2040-01-01)}`;
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'real':
    case 'double precision':
      return 20_000 + count; // fits the smallest of these types
    default:
      throw new Error(`no mark for the type ${type} of ${table}.${name}`);
  }
}
