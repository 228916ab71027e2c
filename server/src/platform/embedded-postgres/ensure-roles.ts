// Creates the roles of the embedded database. The superuser only supervises the server. One role owns the tables and migrates;
// the service uses another role that can only read and write rows.
import { Client } from 'pg';
import { DATABASE_USER } from './initialize-cluster.ts';
import { SOCKET_PORT } from './socket-folder.ts';

export const DATABASE_NAME = 'tributary';
export const OWNER_ROLE = 'tributary_owner';
export const SERVICE_ROLE = 'tributary_service';

const POWERLESS = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

/** Needs a connection of the superuser. Does nothing if the roles exist. */
export async function ensureRoles(superuser: Client, socketDir: string): Promise<void> {
  const { rows } = await superuser.query<{ roles: string[]; owner: string | null }>(
    `select array(select rolname::text from pg_roles where rolname = any($1)) as roles,
            (select pg_get_userbyid(datdba) from pg_database where datname = $2) as owner`,
    [[OWNER_ROLE, SERVICE_ROLE], DATABASE_NAME],
  );
  const { roles = [], owner = null } = rows[0] ?? {};
  for (const role of [OWNER_ROLE, SERVICE_ROLE])
    if (!roles.includes(role)) await superuser.query(`create role ${role} ${POWERLESS}`);
  // Checked on every start, because the first one may have been killed between initdb and here.
  if (owner === null) await superuser.query(`create database ${DATABASE_NAME} owner ${OWNER_ROLE}`);
  else if (owner !== OWNER_ROLE) await handOver(socketDir);
}

/** For old clusters, where the superuser owned everything. Changes the database last, as a mark that all is done. */
async function handOver(socketDir: string): Promise<void> {
  const connection = { host: socketDir, port: SOCKET_PORT, user: DATABASE_USER, database: DATABASE_NAME, ssl: false };
  const client = new Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    await client.query(HAND_OVER_OBJECTS);
    await client.query(`alter database ${DATABASE_NAME} owner to ${OWNER_ROLE}`);
    await client.query('commit');
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Sequences and indexes of a table follow its owner. */
const HAND_OVER_OBJECTS = `do $$
declare statement text;
begin
  for statement in
    with spaces as (
      select oid, nspname, nspowner from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
    )
    select format('alter table %s owner to ${OWNER_ROLE}', c.oid::regclass)
      from pg_class c join spaces s on s.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'f') and pg_get_userbyid(c.relowner) = '${DATABASE_USER}'
    union all
    select format('alter sequence %s owner to ${OWNER_ROLE}', c.oid::regclass)
      from pg_class c join spaces s on s.oid = c.relnamespace
     where c.relkind = 'S' and pg_get_userbyid(c.relowner) = '${DATABASE_USER}'
       and not exists (select from pg_depend d
                        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i'))
    union all
    select format('alter routine %s owner to ${OWNER_ROLE}', p.oid::regprocedure)
      from pg_proc p join spaces s on s.oid = p.pronamespace where pg_get_userbyid(p.proowner) = '${DATABASE_USER}'
    union all
    select format('alter type %s owner to ${OWNER_ROLE}', t.oid::regtype)
      from pg_type t join spaces s on s.oid = t.typnamespace
     where pg_get_userbyid(t.typowner) = '${DATABASE_USER}'
       and (t.typtype in ('e', 'd') or (t.typtype = 'c' and exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c')))
    union all
    select format('alter schema %I owner to ${OWNER_ROLE}', nspname) from spaces where pg_get_userbyid(nspowner) = '${DATABASE_USER}'
  loop
    execute statement;
  end loop;
end $$`;
