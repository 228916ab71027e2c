// Counts the users of the whole service, and finds the API keys that expire next.
import type { Environment } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';

const COUNT_USERS = statement(
  'count_users',
  'select environment, sum(user_count)::float8 as count from account_environments group by 1',
);

export async function countUsers(db: Queryable): Promise<Readonly<Record<Environment, number>>> {
  const rows = await db.query<{ environment: Environment; count: number }>(COUNT_USERS);
  return { live: 0, sandbox: 0, ...Object.fromEntries(rows.map(({ environment, count }) => [environment, count])) };
}

const READ_NEXT_EXPIRY = statement(
  'read_next_key_expiry',
  `select e.environment, (select k.expires_at from api_keys k
                           where k.revoked_at is null and k.expires_at > $1 and k.environment = e.environment
                           order by k.expires_at limit 1) as "expiresAt"
     from (values ('live'), ('sandbox')) e (environment)`,
);

/** The next expiry of a key that was not replaced; null: there is no such key. */
export function readNextExpiry(
  db: Queryable,
  now: Date,
): Promise<{ environment: Environment; expiresAt: Date | null }[]> {
  return db.query<{ environment: Environment; expiresAt: Date | null }>(READ_NEXT_EXPIRY, [now]);
}
