// Moves waiting entries into the chain. Writers only insert into the inbox, so they never wait for each other.
import type { UserId } from '../../../domain/tenancy.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import {
  appendEntries,
  ensureSalts,
  findLast,
  hasWaiting,
  listWaiting,
  listWaitingOfUser,
  lockTrail,
  readMark,
  removeSalt,
  removeWaiting,
  saveMark,
  tryLockTrail,
  type WaitingEntry,
} from './store.ts';
import {
  chainEntry,
  FIRST_LINK,
  isSigned,
  type Link,
  newSalt,
  signMark,
  type TrailEntry,
  writeEntry,
} from './trail-entry.ts';

/** So that a batch of lists takes the event loop 5 ms. */
const BATCH = { maxEntries: 500, maxNames: 1_000 };
const UNSIGNED = Buffer.alloc(0);

/** True: more entries wait. */
export async function chainWaiting(db: Database, key: Buffer): Promise<boolean> {
  if (!(await hasWaiting(db))) return false;
  return db.transaction(async (tx) => {
    if (!(await tryLockTrail(tx))) return false; // another process is chaining
    const { batch, hasMore } = await listWaiting(tx, BATCH);
    await chain(tx, key, batch);
    return hasMore;
  });
}

/**
 * Chains what still waits about an erased user and removes the salt of its name. The lock keeps a chaining process, which may
 * have seen the user, from making a new salt.
 */
export async function forgetUserInTrail(
  tx: Transaction,
  key: Buffer,
  { userId }: { readonly userId: UserId },
): Promise<void> {
  await lockTrail(tx);
  await chain(tx, key, await listWaitingOfUser(tx, userId));
  await removeSalt(tx, userId);
}

async function chain(tx: Transaction, key: Buffer, waiting: readonly WaitingEntry[]): Promise<void> {
  if (waiting.length === 0) return;
  const users = [...new Set(waiting.flatMap(listUsers))];
  const salts = await ensureSalts(tx, users);
  // A user who was deleted before its first entry was chained gets a name that is never made again.
  for (const userId of users) if (!salts.has(userId)) salts.set(userId, newSalt());
  const head = await findHead(tx, key);
  let before: Link = head.link;
  const entries: TrailEntry[] = [];
  const names = new Map<string, string>();
  for (const { at, userId, entry } of waiting) {
    const chained = chainEntry(key, before, { at, entry: writeEntry(key, entry, userId, salts, names) });
    entries.push(chained);
    before = chained;
  }
  await appendEntries(tx, entries);
  await removeWaiting(
    tx,
    waiting.map(({ id }) => id),
  );
  await saveMark(tx, 'head', { ...before, signature: head.isOurs ? signMark(key, 'head', before) : UNSIGNED });
}

/**
 * Where the next entry goes, and whether the service put the mark there. If not, the mark is never signed again, so that a
 * verification finds it, and entries are added all the same: erasures depend on it.
 */
async function findHead(tx: Transaction, key: Buffer): Promise<{ link: Link; isOurs: boolean }> {
  const mark = await readMark(tx, 'head');
  const last = await findLast(tx);
  if (last !== null && last.position > (mark?.position ?? 0)) return { link: last, isOurs: false };
  return { link: mark ?? FIRST_LINK, isOurs: mark === null || isSigned(key, 'head', mark) };
}

function listUsers({ userId, entry: { users = [] } }: WaitingEntry): readonly string[] {
  return userId === null ? users : [userId, ...users];
}
