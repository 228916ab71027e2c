// Removes entries after their retention, behind a signed mark from which the rest of the chain can still be verified.
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { findLastBefore, lockTrail, readMark, removeEntriesUpTo, saveMark } from './store.ts';
import { type Link, signMark } from './trail-entry.ts';
import { verifyWithin } from './verify-trail.ts';

const BATCH = 20_000; // entries of one transaction, well within the time limit of a statement

/** Returns the number of removed entries. */
export async function cutTrail(db: Database, key: Buffer, before: Date): Promise<number> {
  let removed = 0;
  for (;;) {
    const batch = await cutBatch(db, key, before);
    removed += batch;
    if (batch === 0) return removed;
  }
}

function cutBatch(db: Database, key: Buffer, before: Date): Promise<number> {
  return db.transaction(async (tx) => {
    await lockTrail(tx);
    const last = await findLastBefore(tx, before, BATCH);
    if (last === null) return 0;
    await requireIntact(tx, key, last);
    await saveMark(tx, 'cut', { ...last, signature: signMark(key, 'cut', last) });
    return removeEntriesUpTo(tx, last.position);
  });
}

/** A new mark would hide what was changed or removed before it, for example the time of entries that should be gone. */
async function requireIntact(tx: Transaction, key: Buffer, { position }: Link): Promise<void> {
  const cut = await readMark(tx, 'cut');
  const limit = position - (cut?.position ?? 0);
  const { broken } = await verifyWithin(tx, key, { expected: null, after: null, limit });
  if (broken !== null)
    throw new Error(
      `The audit trail is broken at entry ${broken.position}: ${broken.reason}. Nothing was removed. Run "tributary audit verify".`,
    );
}
