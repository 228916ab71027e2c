// Grants the service's role access to rows if another role owns the tables. Runs after each migration.
import pg from 'pg';
import type { Database, Transaction } from './database.ts';
import { ADVISORY_LOCK } from './migrate.ts';
import { IS_OWN_SCHEMA, isOfExtension } from './own-objects.ts';

/** Without objects of other programs. A role that is not the owner of our tables still fails, and so does the start. */
const isOwn = (catalog: 'pg_class' | 'pg_proc', owner: string) => `${IS_OWN_SCHEMA}
  and (pg_has_role(${owner}, 'usage') or ${owner} = (select relowner from pg_class where oid = to_regclass('schema_migrations')))
  and not ${isOfExtension(catalog, 'c.oid')}`;
const IS_OWN = isOwn('pg_class', 'c.relowner');
const POLICY = 'tributary_service';

/** Whether the role lacks access to a table, a sequence, or rows with row-level security, as in the job queue. */
const IS_MISSING = `select exists (
  select from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where ${IS_OWN} and (
     (c.relkind in ('r', 'p', 'v') and not has_table_privilege($1, c.oid, 'select'))
     or (c.relkind in ('r', 'p') and c.relname <> 'schema_migrations'
         and not (has_table_privilege($1, c.oid, 'insert') and has_table_privilege($1, c.oid, 'update') and has_table_privilege($1, c.oid, 'delete')))
     or (c.relkind = 'S' and not has_sequence_privilege($1, c.oid, 'usage'))
     or (c.relrowsecurity and not exists (
       select from pg_policy p join pg_roles r on r.oid = any(p.polroles)
        where p.polrelid = c.oid and p.polname = '${POLICY}' and r.rolname = $1)))
  ) as missing`;

const RIGHTS = {
  schema: 'usage',
  table: 'select, insert, update, delete',
  sequence: 'usage, select, update',
  function: 'execute',
};

/** Needs a connection of the owner. */
export async function grantServiceRole(db: Database, role: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK]); // processes that start together wait for each other
    const [row] = await tx.query<{ missing: boolean }>(IS_MISSING, [role]);
    if (row?.missing) await grant(tx, role);
  });
}

async function grant(tx: Transaction, name: string): Promise<void> {
  const role = pg.escapeIdentifier(name);
  const own = await tx.query<{ name: string; kind: 'schema' | 'table' | 'sequence' | 'function' }>(
    `select quote_ident(n.nspname) as name, 'schema' as kind from pg_namespace n where ${IS_OWN_SCHEMA}
      union all
     select c.oid::regclass::text, case c.relkind when 'S' then 'sequence' else 'table' end
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${IS_OWN} and c.relkind in ('r', 'p', 'v', 'S')
      union all
     select c.oid::regprocedure::text, 'function' from pg_proc c join pg_namespace n on n.oid = c.pronamespace
      where ${isOwn('pg_proc', 'c.proowner')} and c.prokind = 'f'`,
  );
  for (const kind of ['schema', 'table', 'sequence', 'function'] as const) {
    const names = own.filter((object) => object.kind === kind).map((object) => object.name);
    if (names.length > 0) await tx.query(`grant ${RIGHTS[kind]} on ${kind} ${names.join(', ')} to ${role}`);
  }
  await tx.query(`revoke insert, update, delete on schema_migrations from ${role}`);
  const guarded = await tx.query<{ table: string; roles: string[] }>(
    `select c.oid::regclass::text as "table",
            array(select r.rolname::text from pg_policy p join pg_roles r on r.oid = any(p.polroles)
                   where p.polrelid = c.oid and p.polname = '${POLICY}') as roles
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${IS_OWN} and c.relrowsecurity`,
  );
  for (const { table, roles } of guarded) {
    const all = [...new Set([...roles, name])].map((one) => pg.escapeIdentifier(one)).join(', '); // a process may still use the role that is being replaced
    await tx.query(`drop policy if exists ${POLICY} on ${table}`);
    await tx.query(`create policy ${POLICY} on ${table} to ${all} using (true) with check (true)`);
  }
}
