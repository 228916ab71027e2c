// Lists the latest calls of an account's programs, and reads one with its neighbours.
import { parseUserId, type Tenant, type UserId } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import type { MemberCaller } from '../../../platform/http/caller.ts';
import { type CursorPage, readCursorPage } from '../../../platform/http/cursor-page.ts';
import type { Services } from '../../../platform/services.ts';
import { findUserByReference } from '../user-core/index.ts';
import { listRequests, paceOfAccount, type RequestEntry } from './list-requests.ts';
import type { RequestFilter } from './request-filter.ts';

export type RequestsInput = Omit<RequestFilter, 'before' | 'after' | 'id' | 'userId'> & {
  /** The id or the reference of a user. */
  readonly user: string | null;
  readonly cursor: string | null;
};
export type RequestDetail = { readonly entry: RequestEntry; readonly neighbours: readonly RequestEntry[] };

type Context = { readonly services: Pick<Services, 'cursors' | 'db' | 'shares'>; readonly caller: MemberCaller };

const NEIGHBOURS = 5;

export async function readRequests(
  { services, caller }: Context,
  { cursor, limit, user, ...filter }: RequestsInput,
): Promise<CursorPage<RequestEntry>> {
  const { tenant } = caller;
  return readCursorPage(
    services.cursors,
    { scope: `requests/${tenant.accountId}/${tenant.environment}`, cursor, limit },
    async (position, rows) => {
      const userId = user === null ? null : await findUser(services.db, tenant, user);
      if (user !== null && userId === null) return [];
      const before = position && Number(position[0]);
      const wanted = { ...filter, userId, before, limit: rows };
      return listRequests(services.db, tenant, wanted, paceOfAccount(services, tenant));
    },
    ({ seq }) => [seq],
  );
}

async function findUser(db: Queryable, tenant: Tenant, text: string): Promise<UserId | null> {
  return parseUserId(text) ?? findUserByReference(db, tenant, text);
}

/** The neighbours are the calls for the same user before and after it. */
export async function readRequest(
  { services, caller: { tenant } }: Context,
  { id }: { readonly id: string },
): Promise<RequestDetail> {
  const list = (filter: RequestFilter) => listRequests(services.db, tenant, filter, paceOfAccount(services, tenant));
  const [entry] = await list({ id, limit: 1 });
  if (entry === undefined) throw notFound('Request', { request_id: id });
  const { userId, seq } = entry;
  if (userId === null) return { entry, neighbours: [] };
  const [after, before] = await Promise.all([
    list({ userId, after: seq, limit: NEIGHBOURS }),
    list({ userId, before: seq, limit: NEIGHBOURS }),
  ]);
  return { entry, neighbours: [...after.reverse(), ...before] };
}
