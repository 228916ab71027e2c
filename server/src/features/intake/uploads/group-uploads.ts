// Stores uploads that arrive at the same time together: up to 32 users share a transaction, its statements and its commit. The service of
// an account has its own groups, so that accounts do not wait for each other.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import { BatchQueue } from '../../../platform/batch-queue.ts';
import { limitConnections } from '../../../platform/db/account-database.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { isStatementFailure } from '../../../platform/db/database-errors.ts';
import { COORDINATOR, type NodeId, type Shards, shardOf } from '../../../platform/db/shards.ts';
import { MAX_SHARING_USERS, runTogether } from '../../../platform/db/shared-transaction.ts';
import { AppError, isUnavailable } from '../../../platform/errors.ts';
import { overloaded } from '../../../platform/fair-shares.ts';
import type { Services } from '../../../platform/services.ts';
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

/** On Citus, a statement is planned and sent once per shard, so users of few shards share a group. Fewer users cost more than more shards. */
const MIN_USERS = 24;
const MAX_IN_FLIGHT = 2; // one group computes while the other waits for the database
const MAX_IN_FLIGHT_PER_NODE = 1; // fewer and larger groups, and other nodes have theirs
const GATHER_BESIDE_MS = 50; // about as long as a group takes, so that the statements of the next one serve more users
const MAX_WAITING = 400; // of an account, as for its transactions

type GroupServices = Pick<Services, 'db' | 'log' | 'metrics' | 'nodes' | 'shares'>;

type Queue = BatchQueue<Change<unknown>, Stored>;

/** By the node of the users, so that nodes do not wait for each other. Without connections to nodes there is one queue. */
const queues = new WeakMap<Database, Map<NodeId, Queue>>();

/** Throws `overloaded` if too many changes of the account wait. */
export async function changeInGroup<Result>(services: GroupServices, change: Change<Result>): Promise<Result> {
  const queue = findQueue(services, await services.nodes.shards(), change);
  if (queue.waitingCount >= MAX_WAITING) throw overloaded();
  const stored = await queue.add(change);
  return stored === null ? changeAlone(services, change) : (stored.result as Result);
}

export function changeAlone<Result>(
  { db }: Pick<Services, 'db'>,
  { tenant, userId, run }: Change<Result>,
): Promise<Result> {
  return changeLockedUser(db, tenant, userId, (tx, locked) => run(tx, locked?.handle ?? null));
}

function findQueue(services: GroupServices, shards: Shards, { tenant, userId }: Change<unknown>): Queue {
  const { db, nodes, shares } = services;
  const ofAccount = queues.getOrInsertComputed(db, () => new Map());
  if (!nodes.areUsed)
    return ofAccount.getOrInsertComputed(COORDINATOR, () => createQueue(services, shards, () => null));
  return ofAccount.getOrInsertComputed(shardOf(shards, userId).node, (id) =>
    createQueue(services, shards, () => {
      const node = nodes.find(id);
      return node === null ? null : limitConnections(node, shares, tenant.accountId);
    }),
  );
}

function createQueue(services: GroupServices, shards: Shards, findNode: () => Database | null): Queue {
  return new BatchQueue({
    run: (changes) => storeOrSplit(services, changes, findNode()),
    maxItems: MAX_SHARING_USERS,
    kinds: { kindOf: ({ userId }) => shardOf(shards, userId), minItems: MIN_USERS },
    maxInFlight: services.nodes.areUsed ? MAX_IN_FLIGHT_PER_NODE : MAX_IN_FLIGHT,
    gatherMs: 0,
    gatherBesideMs: GATHER_BESIDE_MS,
    isBesideOthers: () =>
      queues
        .get(services.db)
        ?.values()
        .some(({ isBusy }) => isBusy) === true,
  });
}

/** The failure of one user concerns no other. What fails on a node is tried again on the coordinator. */
async function storeOrSplit(
  { db, log, metrics }: GroupServices,
  changes: readonly Change<unknown>[],
  node: Database | null,
): Promise<Stored[]> {
  try {
    const stored = await storeTogether(node ?? db, changes);
    metrics.countUploadGroup('stored');
    return stored;
  } catch (error) {
    const isSplit = node !== null || (changes.length > 1 && !(isUnavailable(error) && !isStatementFailure(error)));
    metrics.countUploadGroup(isSplit ? 'split' : 'failed');
    if (!isSplit) throw error;
    const cause = isUnavailable(error) ? error.cause : error;
    if (!(cause instanceof AppError))
      log.warn({ err: cause, users: changes.length }, 'a group of uploads failed; each is stored alone');
    return changes.map(() => null);
  }
}

/** A user that somebody else has locked does not delay the others. */
function storeTogether(db: Database, changes: readonly Change<unknown>[]): Promise<Stored[]> {
  return db.transaction(async (tx) => {
    const users = await lockFreeUsers(tx, changes);
    const works = changes.map(({ run }, index) => async (shared: Transaction): Promise<Stored> => {
      const user = users[index] ?? null;
      return user === null ? null : { result: await run(shared, user) };
    });
    return runTogether(tx, works);
  });
}
