// Statements with several rows of VALUES. A distributed table routes each of these rows to its shard, which it cannot do with unnest.
import type { Queryable, Statement } from './queryable.ts';
import { MAX_SHARING_USERS, sharedWrite } from './shared-transaction.ts';

/** Only common numbers of rows are prepared, because each is a plan on every connection: these, and a row of each user of a full group. */
const MAX_PREPARED_ROWS = 16;
/** The text of a group of uploads is kept: writing it takes as long as encoding its values. */
const MAX_KEPT_ROWS = 64;
/** Far below the protocol's limit of 65,535 parameters, and short enough to plan quickly. */
const MAX_ROWS = 500;

type RowStatement = { readonly name: string; readonly columns: number; text(rows: string): string };
type Row = readonly unknown[];

/** Writes rows of one or more users; returns how many rows the statement returned. */
export function rowStatement(about: RowStatement): (db: Queryable, rows: readonly Row[]) => Promise<number> {
  const kept = new Map<number, Statement | string>();
  const write = (count: number): Statement | string => {
    const text = about.text(listRows(count, about.columns));
    const isCommon = count <= MAX_PREPARED_ROWS || count === MAX_SHARING_USERS;
    return isCommon ? { name: `${about.name}_${count}`, text } : text;
  };
  const findStatement = (count: number) =>
    count > MAX_KEPT_ROWS ? write(count) : kept.getOrInsertComputed(count, write);
  return async (db, rows) => {
    let returned = 0;
    for (let first = 0; first < rows.length; first += MAX_ROWS) {
      const some = rows.slice(first, first + MAX_ROWS);
      returned += (await db.query(findStatement(some.length), some.flat())).length;
    }
    return returned;
  };
}

/** The same, and users that share a transaction share the statement. */
export function sharedRows(about: RowStatement): (db: Queryable, rows: readonly Row[]) => Promise<void> {
  const write = rowStatement(about);
  return sharedWrite<readonly Row[]>((db, lists) => write(db, lists.flat()));
}

/** ($1, $2), ($3, $4) */
function listRows(count: number, columns: number): string {
  const row = (index: number) => Array.from({ length: columns }, (_, column) => `$${index * columns + column + 1}`);
  return Array.from({ length: count }, (_, index) => `(${row(index).join(', ')})`).join(', ');
}
