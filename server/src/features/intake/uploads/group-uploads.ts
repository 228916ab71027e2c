// Stores uploads that arrive at the same time together: up to 32 users share a transaction, its statements and its commit. The service of
// an account has its own groups, so that accounts do not wait for each other.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import { BatchQueue } from '../../../platform/batch-queue.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { runTogether } from '../../../platform/db/shared-transaction.ts';
import { isUnavailable } from '../../../platform/errors.ts';
import { changeLockedUser, lockFreeUsers, type UserHandle } from '../../tenancy/user-core/index.ts';

/** The caller holds the user's mutex, so that a user is in one group at a time. */
type Change<Result> = {
  readonly tenant: Tenant;
  readonly userId: UserId;
  /** Runs a second time if another user of the group fails. Null: there is no such user. */
  run(tx: Transaction, user: UserHandle | null): Promise<Result>;
};
/** Null: the change has to run in a transaction of its own. */
type Stored = { readonly result: unknown } | null;

const MAX_USERS = 32; // keeps a transaction short, as the first upload of a group waits for the last one
const MAX_IN_FLIGHT = 2; // one group computes while the other waits for the database

const queues = new WeakMap<Database, BatchQueue<Change<unknown>, Stored>>();

export async function changeInGroup<Result>(db: Database, change: Change<Result>): Promise<Result> {
  const stored = await queues.getOrInsertComputed(db, createQueue).add(change);
  return stored === null ? changeAlone(db, change) : (stored.result as Result);
}

export function changeAlone<Result>(db: Database, { tenant, userId, run }: Change<Result>): Promise<Result> {
  return changeLockedUser(db, tenant, userId, (tx, locked) => run(tx, locked?.handle ?? null));
}

function createQueue(db: Database): BatchQueue<Change<unknown>, Stored> {
  return new BatchQueue({
    run: (changes) => storeTogether(db, changes),
    maxItems: MAX_USERS,
    maxInFlight: MAX_IN_FLIGHT,
    gatherMs: 0,
  });
}

/** A user that somebody else has locked does not delay the others. */
async function storeTogether(db: Database, changes: readonly Change<unknown>[]): Promise<Stored[]> {
  try {
    return await db.transaction(async (tx) => {
      const users = await lockFreeUsers(tx, changes);
      const works = changes.map(({ run }, index) => async (shared: Transaction): Promise<Stored> => {
        const user = users[index] ?? null;
        return user === null ? null : { result: await run(shared, user) };
      });
      return runTogether(tx, works);
    });
  } catch (error) {
    if (changes.length === 1 || isUnavailable(error)) throw error;
    return changes.map(() => null); // the failure of one user concerns no other
  }
}
