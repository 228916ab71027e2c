// Grants the service's role access to rows if another role owns the tables. Runs after each migration.
import pg from 'pg';
import type { Database, Transaction } from './database.ts';
import { ADVISORY_LOCK } from './migrate.ts';

const SCHEMAS = `n.nspname in ('public', 'graphile_worker')`;
const POLICY = 'tributary_service';

/** Whether the role lacks access to a table, a sequence, or rows with row-level security, as in the job queue. */
const IS_MISSING = `select exists (
  select from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where ${SCHEMAS} and (
     (c.relkind in ('r', 'p', 'v') and not has_table_privilege($1, c.oid, 'select'))
     or (c.relkind in ('r', 'p') and c.relname <> 'schema_migrations'
         and not (has_table_privilege($1, c.oid, 'insert') and has_table_privilege($1, c.oid, 'update') and has_table_privilege($1, c.oid, 'delete')))
     or (c.relkind = 'S' and not has_sequence_privilege($1, c.oid, 'usage'))
     or (c.relrowsecurity and not exists (
       select from pg_policy p join pg_roles r on r.oid = any(p.polroles)
        where p.polrelid = c.oid and p.polname = '${POLICY}' and r.rolname = $1)))
  ) as missing`;

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
  for (const schema of ['public', 'graphile_worker']) {
    await tx.query(`grant usage on schema ${schema} to ${role}`);
    await tx.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`);
    await tx.query(`grant usage, select, update on all sequences in schema ${schema} to ${role}`);
    await tx.query(`grant execute on all functions in schema ${schema} to ${role}`);
  }
  await tx.query(`revoke insert, update, delete on schema_migrations from ${role}`);
  const guarded = await tx.query<{ table: string; roles: string[] }>(
    `select c.oid::regclass::text as "table",
            array(select r.rolname::text from pg_policy p join pg_roles r on r.oid = any(p.polroles)
                   where p.polrelid = c.oid and p.polname = '${POLICY}') as roles
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${SCHEMAS} and c.relrowsecurity`,
  );
  for (const { table, roles } of guarded) {
    const all = [...new Set([...roles, name])].map((one) => pg.escapeIdentifier(one)).join(', '); // a process may still use the role that is being replaced
    await tx.query(`drop policy if exists ${POLICY} on ${table}`);
    await tx.query(`create policy ${POLICY} on ${table} to ${all} using (true) with check (true)`);
  }
}
