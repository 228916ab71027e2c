// Reads which tables, partitions, references and sequences a database has.
import type { Queryable } from '../db/database.ts';
import type { Contents, CopiedTable, SequenceValue } from './contents.ts';
import type { Reference } from './load-order.ts';

const SCHEMAS = `n.nspname in ('public', 'graphile_worker')`;
/** Written by migrating; a copy lists the migrations itself. */
const IS_HISTORY = `(n.nspname, c.relname) in (('public', 'schema_migrations'), ('graphile_worker', 'migrations'))`;
const NAME = `format('%I.%I', n.nspname, c.relname)`;

export function listTables(db: Queryable): Promise<CopiedTable[]> {
  return db.query<CopiedTable>(
    `select ${NAME} as name,
            array(select attname::text from pg_attribute
                   where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${SCHEMAS} and c.relkind = 'r' and not ${IS_HISTORY} order by 1`,
  );
}

export function listPartitions(db: Queryable): Promise<Contents['partitions'][number][]> {
  return db.query(
    `select ${NAME} as name, format('%I.%I', pn.nspname, p.relname) as parent, pg_get_expr(c.relpartbound, c.oid) as bound
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_inherits i on i.inhrelid = c.oid
       join pg_class p on p.oid = i.inhparent join pg_namespace pn on pn.oid = p.relnamespace
      where ${SCHEMAS} and c.relkind = 'r' and c.relispartition order by 1`,
  );
}

export function listReferences(db: Queryable): Promise<Reference[]> {
  const named = (column: string) =>
    `(select ${NAME} from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = ${column})`;
  return db.query<Reference>(
    `select ${named('conrelid')} as "from", ${named('confrelid')} as "to" from pg_constraint where contype = 'f'`,
  );
}

export function listSequences(db: Queryable): Promise<SequenceValue[]> {
  return db.query<SequenceValue>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
       from pg_sequences where schemaname in ('public', 'graphile_worker') and last_value is not null order by 1`,
  );
}

/** Anything in our schemas except the queue that an interrupted restore has prepared. */
export async function isEmptyDatabase(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(
    `select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                     where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')) as found`,
  );
  return row?.found === false;
}
