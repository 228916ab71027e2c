// Runs changes of a user's data one at a time, each in a transaction that locks the user's row.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import { lockUser } from './lock-store.ts';
import type { User } from './store.ts';
import type { UserHandle } from './user-handle.ts';

type LockedUser = { readonly handle: UserHandle; readonly user: User };

/** `work` receives null if the user is not found. Callers wait without holding a database connection. */
export function changeUser<Result>(
  services: Pick<Services, 'db' | 'userMutex'>,
  tenant: Tenant,
  userId: UserId,
  work: (tx: Transaction, locked: LockedUser | null) => Promise<Result>,
): Promise<Result> {
  return withUserMutex(services, tenant, userId, () => changeLockedUser(services.db, tenant, userId, work));
}

/** For callers that already hold the mutex (`withUserMutex`) because they do work before the transaction. */
export function changeLockedUser<Result>(
  db: Services['db'],
  tenant: Tenant,
  userId: UserId,
  work: (tx: Transaction, locked: LockedUser | null) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => work(tx, await lockUser(tx, tenant, userId)));
}

/** Keyed by tenant and user, so that an account cannot delay another account by sending its user ids. */
export function withUserMutex<Result>(
  { userMutex }: Pick<Services, 'userMutex'>,
  tenant: Tenant,
  userId: UserId,
  work: () => Promise<Result>,
): Promise<Result> {
  return userMutex.run(`${tenant.accountId} ${tenant.environment} ${userId}`, work);
}
