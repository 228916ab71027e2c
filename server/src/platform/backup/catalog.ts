// Reads which tables, partitions, references and sequences a database has.
import type { Queryable } from '../db/database.ts';
import { IS_OWN_SCHEMA, isOfExtension } from '../db/own-objects.ts';
import type { Contents, CopiedTable, SequenceValue } from './contents.ts';
import type { TableReference } from './load-order.ts';

const IS_OWN = `${IS_OWN_SCHEMA} and not ${isOfExtension('pg_class', 'c.oid')}`;
/** Written by migrating; a copy lists the migrations itself. */
const IS_HISTORY = `c.oid in (to_regclass('schema_migrations'), to_regclass('graphile_worker.migrations'))`;
/** A copy names our schema public, whatever its name is here. */
const nameOf = (schema: string, relation: string) =>
  `format('%I.%I', case ${schema} when 'graphile_worker' then ${schema} else 'public' end, ${relation})`;
const NAME = nameOf('n.nspname', 'c.relname');

export function listTables(db: Queryable): Promise<CopiedTable[]> {
  return db.query<CopiedTable>(
    `select ${NAME} as name,
            array(select attname::text from pg_attribute
                   where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${IS_OWN} and c.relkind = 'r' and not ${IS_HISTORY} order by 1`,
  );
}

export function listPartitions(db: Queryable): Promise<Contents['partitions'][number][]> {
  return db.query(
    `select ${NAME} as name, ${nameOf('pn.nspname', 'p.relname')} as parent, pg_get_expr(c.relpartbound, c.oid) as bound
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_inherits i on i.inhrelid = c.oid
       join pg_class p on p.oid = i.inhparent join pg_namespace pn on pn.oid = p.relnamespace
      where ${IS_OWN} and c.relkind = 'r' and c.relispartition order by 1`,
  );
}

export function listTableReferences(db: Queryable): Promise<TableReference[]> {
  const named = (column: string) =>
    `(select ${NAME} from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = ${column} and ${IS_OWN_SCHEMA})`;
  return db.query<TableReference>(
    `select * from (select ${named('conrelid')} as "from", ${named('confrelid')} as "to" from pg_constraint where contype = 'f') r
      where "from" is not null and "to" is not null`,
  );
}

export function listSequences(db: Queryable): Promise<SequenceValue[]> {
  return db.query<SequenceValue>(
    `select ${NAME} as name, s.last_value::text as last
       from pg_sequences s join pg_namespace n on n.nspname = s.schemaname
       join pg_class c on c.relnamespace = n.oid and c.relname = s.sequencename
      where ${IS_OWN} and s.last_value is not null order by 1`,
  );
}

/** For SQL: search_path finds our schema. */
export function resolvable(name: string): string {
  return name.replace(/^public\./, '');
}

/** Whether anything is in our schema, or where it would be created. The queue that an interrupted restore has prepared does not count. */
export async function isEmptyDatabase(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(
    `select to_regclass('schema_migrations') is not null
         or exists (select from pg_class c where c.relnamespace = to_regnamespace(quote_ident(current_schema()))
                       and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and not ${isOfExtension('pg_class', 'c.oid')}) as found`,
  );
  return row?.found === false;
}
