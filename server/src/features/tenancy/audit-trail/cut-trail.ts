// Removes entries after their retention, behind a signed mark from which the rest of the chain can still be verified.
import type { Database } from '../../../platform/db/database.ts';
import { findLastBefore, lockTrail, removeEntriesUpTo, saveMark } from './store.ts';
import { signMark } from './trail-entry.ts';

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
    await saveMark(tx, 'cut', { ...last, signature: signMark(key, 'cut', last) });
    return removeEntriesUpTo(tx, last.position);
  });
}
