// Removes entries after their retention, behind a signed mark from which the rest of the chain can still be verified.
import type { Database } from '../../../platform/db/database.ts';
import { findLastBefore, lockTrail, removeEntriesUpTo, saveMark } from './store.ts';
import { signMark } from './trail-entry.ts';

/** Returns the number of removed entries. */
export function cutTrail(db: Database, key: Buffer, before: Date): Promise<number> {
  return db.transaction(async (tx) => {
    await lockTrail(tx);
    const last = await findLastBefore(tx, before);
    if (last === null) return 0;
    await saveMark(tx, 'cut', { ...last, signature: signMark(key, 'cut', last) });
    return removeEntriesUpTo(tx, last.position);
  });
}
