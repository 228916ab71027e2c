// Changes of what belongs to one person: one at a time, in one transaction that holds the user's row.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import { lockUser, type User } from './store.ts';
import type { UserHandle } from './user-handle.ts';

export type LockedUser = { readonly handle: UserHandle; readonly user: User };

/** `work` gets null where there is no such user. Whoever waits does so without a connection, so that nobody else has to. */
export function changeUser<Result>(
  services: Pick<Services, 'db' | 'userMutex'>,
  tenant: Tenant,
  userId: UserId,
  work: (tx: Transaction, locked: LockedUser | null) => Promise<Result>,
): Promise<Result> {
  return withUserMutex(services, tenant, userId, () => changeLockedUser(services.db, tenant, userId, work));
}

/** For those who have waited for the others already (`withUserMutex`), as there is work to be done before the transaction. */
export function changeLockedUser<Result>(
  db: Services['db'],
  tenant: Tenant,
  userId: UserId,
  work: (tx: Transaction, locked: LockedUser | null) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => work(tx, await lockUser(tx, tenant, userId)));
}

/** By tenant and user: an account that sends another account's user ids must not delay that account. */
export function withUserMutex<Result>(
  { userMutex }: Pick<Services, 'userMutex'>,
  tenant: Tenant,
  userId: UserId,
  work: () => Promise<Result>,
  options?: { readonly maxWaiting?: number },
): Promise<Result> {
  return userMutex.run(`${tenant.accountId} ${tenant.environment} ${userId}`, work, options);
}
