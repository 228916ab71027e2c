// SQL that opens a user together with a range of their health data.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import { batchedRead } from '../../../platform/db/batched-read.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';
import { ACTIVE_USER, CURRENT_ZONE, HANDLE_COLUMNS, type HandleRow, toHandle } from './store.ts';
import type { UserHandle } from './user-handle.ts';

/** `found` selects `key` and the columns from `asked` (key, user_id, first, last) and tables of health data, by `user_id = any($4::uuid[])`. */
type RangeSelect = { readonly name: string; readonly columns: readonly string[]; readonly found: string };
type OpenedWith<Found> = { readonly handle: UserHandle; readonly found: Found };

/**
 * Opens a user and reads a numbered range of their data in one batched statement, so that a request needs one round trip. Checks
 * the tenant like `openUser`. Health tables may be distributed, and PostgreSQL cannot join those with users: the range is a query
 * of its own within the statement.
 */
export function readWithUser<Found extends Record<string, unknown>>(select: RangeSelect) {
  const columns = select.columns.map((column) => `found.${column}`).join(', ');
  const read = batchedRead<HandleRow & Found & { key: string }>(
    statement(
      select.name,
      `with found as materialized (${select.found})
       select asked.key, u.id, ${HANDLE_COLUMNS}, ${CURRENT_ZONE}, ${columns}
         from unnest($3::text[], $4::uuid[]) as asked (key, user_id)
              cross join lateral (select * from users where id = asked.user_id offset 0) u
              left join found on found.key = asked.key
        where ${ACTIVE_USER}`,
    ),
    (row) => row.key,
    (keys) => {
      const parts = keys.map((key) => key.split(' '));
      return [0, 1, 2].map((index) => parts.map((part) => part[index]));
    },
  );
  return async (
    db: Queryable,
    tenant: Tenant,
    userId: UserId,
    range: { readonly first: number; readonly last: number },
  ): Promise<OpenedWith<Found> | null> => {
    const key = `${userId} ${range.first} ${range.last}`;
    const row = await read(db, [tenant.accountId, tenant.environment], key);
    return row ? { handle: toHandle(tenant, row), found: row } : null;
  };
}
