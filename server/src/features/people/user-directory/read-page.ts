// Reads one page of users: all, those that a filter selects, or those that a search finds.
import type { UserId } from '../../../domain/tenancy.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { listUsersToReconnect } from '../../store/devices/index.ts';
import {
  type ListedUser,
  listUserDirectory,
  listUsersById,
  type UserFilter,
  type UserPosition,
} from '../../tenancy/user-core/index.ts';
import { findUsers, matchesText } from './find-users.ts';

export const DIRECTORY_FILTERS = ['attention', 'no_data', 'overrides'] as const;
export type DirectoryQuery = {
  readonly text: string | null;
  readonly filter: (typeof DIRECTORY_FILTERS)[number] | null;
  readonly cursor: string | null;
  readonly limit: number;
};
type Page = {
  readonly users: readonly ListedUser[];
  /** More users match, on the next page or with a longer search text. */
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
};

type Context = { readonly services: Pick<Services, 'cursors' | 'db'>; readonly caller: AccountCaller };

export async function readDirectoryPage(context: Context, query: DirectoryQuery, silentSince: Date): Promise<Page> {
  const { text, filter } = query;
  if (text !== null && filter === null) return searchPage(context, text, query.limit);
  if (filter === 'attention') return attentionPage(context, query);
  return filteredPage(
    context,
    query,
    filter === 'no_data' ? { silentSince } : filter === null ? 'all' : 'with_settings',
  );
}

/** One page: to find one person, members type another letter instead of turning pages. */
async function searchPage({ services, caller }: Context, text: string, limit: number): Promise<Page> {
  const { ids } = await findUsers(services.db, caller.tenant, text, limit + 1);
  const users = await listUsersById(services.db, caller.tenant, ids.slice(0, limit));
  return { users, hasMore: ids.length > limit, nextCursor: null };
}

async function attentionPage(context: Context, query: DirectoryQuery): Promise<Page> {
  const { services, caller } = context;
  const scope = scopeOf(context, query);
  const after = query.cursor === null ? null : (services.cursors.decode(scope, query.cursor)[0] as UserId);
  const ids = await listUsersToReconnect(services.db, caller.tenant, { after, limit: query.limit + 1 });
  const users = await listUsersById(services.db, caller.tenant, ids.slice(0, query.limit));
  const last = ids.length > query.limit ? ids[query.limit - 1] : undefined;
  return {
    users: keepMatches(users, query.text),
    hasMore: last !== undefined,
    nextCursor: last === undefined ? null : services.cursors.encode(scope, [last]),
  };
}

async function filteredPage(context: Context, query: DirectoryQuery, filter: UserFilter): Promise<Page> {
  const { services, caller } = context;
  const scope = scopeOf(context, query);
  const [ms, id] = query.cursor === null ? [null, null] : services.cursors.decode(scope, query.cursor);
  const after: UserPosition | null = ms === null ? null : { createdAt: new Date(ms as number), id: id as UserId };
  const { users, end } = await listUserDirectory(services.db, caller.tenant, filter, { after, limit: query.limit });
  return {
    users: keepMatches(users, query.text),
    hasMore: end !== null,
    nextCursor: end === null ? null : services.cursors.encode(scope, [end.createdAt.getTime(), end.id]),
  };
}

function keepMatches(users: readonly ListedUser[], text: string | null): readonly ListedUser[] {
  return text === null ? users : users.filter(({ user }) => matchesText(user, text));
}

/** Binds a cursor to its list, so that a cursor of another list is rejected. */
function scopeOf({ caller }: Context, { filter, text }: DirectoryQuery): string {
  const { accountId, environment } = caller.tenant;
  return `user-directory/${accountId}/${environment}/${filter ?? ''}/${text ?? ''}`;
}
