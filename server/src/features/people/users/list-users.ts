// Lists the users of an environment, newest first, by page number or by cursor.
import type { UserId } from '../../../domain/tenancy.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { readEnvironmentUsage } from '../../tenancy/accounts/index.ts';
import { listUsers as listStoredUsers, type User, withScoreStatus } from '../../tenancy/user-core/index.ts';

export type ListUsersInput = { readonly referenceId: string | null } & (
  | { readonly by: 'page'; readonly page: number; readonly perPage: number }
  | { readonly by: 'cursor'; readonly cursor: string | null; readonly limit: number }
);
export type UserPage = {
  readonly users: readonly User[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly nextCursor: string | null;
};

export async function listUsers(
  { services, caller }: { services: Pick<Services, 'clock' | 'cursors' | 'db'>; caller: AccountCaller },
  input: ListUsersInput,
): Promise<UserPage> {
  const { tenant } = caller;
  const { referenceId } = input;
  const now = services.clock.now();
  const asOfNow = (user: User) => withScoreStatus(user, now);
  if (input.by === 'page') {
    const { page, perPage } = input;
    const users = await listStoredUsers(services.db, tenant, {
      referenceId,
      after: null,
      limit: perPage,
      offset: (page - 1) * perPage,
    });
    const total =
      referenceId === null
        ? (await readEnvironmentUsage(services.db, tenant)).userCount
        : await countMatches(services, caller, referenceId);
    return { users: users.map(asOfNow), page, perPage, total, nextCursor: null };
  }
  // The scope binds a cursor to its environment and filter, so that a cursor of another list is rejected.
  const scope = `users/${tenant.accountId}/${tenant.environment}/${referenceId ?? ''}`;
  const [ms, id] = input.cursor === null ? [null, null] : services.cursors.decode(scope, input.cursor);
  const after = ms === null ? null : { createdAt: new Date(ms as number), id: id as UserId };
  const rows = await listStoredUsers(services.db, tenant, { referenceId, after, limit: input.limit + 1, offset: 0 });
  const users = rows.slice(0, input.limit);
  const last = users.at(-1);
  const nextCursor =
    rows.length > input.limit && last ? services.cursors.encode(scope, [last.createdAt.getTime(), last.id]) : null;
  return { users: users.map(asOfNow), page: 1, perPage: input.limit, total: users.length, nextCursor };
}

/** At most one user has the reference. */
async function countMatches(
  services: Pick<Services, 'db'>,
  caller: AccountCaller,
  referenceId: string,
): Promise<number> {
  return (await listStoredUsers(services.db, caller.tenant, { referenceId, after: null, limit: 1, offset: 0 })).length;
}
