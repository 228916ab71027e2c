// How many connections the server allows us: the smallest of its own limit and those of the database and the role.
import type { Queryable } from './database.ts';

export type ConnectionLimits = {
  readonly allowed: number;
  readonly by: 'server' | 'role' | 'database';
  /** Of max_connections, for superusers. */
  readonly reserved: number;
  /** Sessions of other programs that count against the limit. */
  readonly others: number;
  readonly role: string;
  readonly database: string;
};

type Row = Pick<ConnectionLimits, 'reserved' | 'role' | 'database'> & {
  readonly max: number;
  readonly ofRole: number;
  readonly ofDatabase: number;
  readonly otherSessions: number;
  readonly otherSessionsOfDatabase: number;
};

const READ_LIMITS = `
  select current_setting('max_connections')::int as max,
         current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved,
         (select rolconnlimit from pg_roles where rolname = current_user) as "ofRole",
         (select datconnlimit from pg_database where datname = current_database()) as "ofDatabase",
         count(*) filter (where is_other)::int as "otherSessions",
         count(*) filter (where is_other and datname = current_database())::int as "otherSessionsOfDatabase",
         current_user as role, current_database() as database
    from (select datname, application_name <> 'tributary' as is_other from pg_stat_activity where backend_type = 'client backend') s`;

export async function readConnectionLimits(db: Queryable): Promise<ConnectionLimits> {
  const [row] = await db.query<Row>(READ_LIMITS);
  if (!row) throw new Error('the server did not report its limits');
  return findSmallestLimit(row);
}

/** -1 means no limit. A role can be limited although others use the server as well. */
export function findSmallestLimit(row: Row): ConnectionLimits {
  const { reserved, role, database } = row;
  const limits = [
    { by: 'server', allowed: row.max - reserved, others: row.otherSessions },
    { by: 'database', allowed: row.ofDatabase, others: row.otherSessionsOfDatabase },
    { by: 'role', allowed: row.ofRole, others: 0 },
  ] as const;
  const smallest = limits
    .filter(({ allowed }) => allowed >= 0)
    .reduce((least, limit) => (limit.allowed - limit.others < least.allowed - least.others ? limit : least));
  return { ...smallest, reserved, role, database };
}
