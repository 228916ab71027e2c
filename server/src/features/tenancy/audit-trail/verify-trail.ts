// Recomputes the chain and names the first entry that was changed, removed or added by anyone but the service.
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { freezeSnapshot, listEntries, type Mark, readMark } from './store.ts';
import { chainEntry, FIRST_LINK, isSigned, type Link, type MarkKind } from './trail-entry.ts';

export type Verification = {
  readonly entries: number;
  /** Time of the first of them. */
  readonly since: Date | null;
  /** The position before the first entry: entries up to it were removed by the retention. */
  readonly cut: number;
  readonly head: { readonly position: number; readonly hash: string };
  readonly broken: { readonly position: number; readonly reason: string } | null;
  /** Entries after `head` were not looked at. */
  readonly hasMore: boolean;
};

export type VerifyOptions = {
  /** The head of an earlier verification: finds a trail that was replaced by an older copy of itself. */
  readonly expected: Link | null;
  /** The head of the part before, with which this part begins; null: from the beginning. */
  readonly after: Link | null;
  readonly limit: number;
};

const PAGE_ENTRIES = 2_000;
const MAX_TIME_MS = 8.64e15; // of a Date

/** Verifies a part of the trail, because one of millions of entries takes longer than a request may. */
export function verifyTrail(db: Database, key: Buffer, options: VerifyOptions): Promise<Verification> {
  return db.transaction(async (tx) => {
    await freezeSnapshot(tx); // entries arrive meanwhile
    return verifyWithin(tx, key, options);
  });
}

/** The caller sees to it that the trail does not change meanwhile. */
export async function verifyWithin(
  tx: Transaction,
  key: Buffer,
  { expected, after, limit }: VerifyOptions,
): Promise<Verification> {
  const cut = await readMark(tx, 'cut');
  const head = (await readMark(tx, 'head')) ?? null;
  const first = cut ?? FIRST_LINK;
  // The retention may have removed entries since the part before.
  let before = after !== null && after.position > first.position ? after : first;
  let entries = 0;
  let since: Date | null = null;
  const conclude = (broken: Verification['broken'], hasMore = false): Verification => ({
    entries,
    since,
    cut: cut?.position ?? 0,
    head: { position: before.position, hash: before.hash.toString('hex') },
    broken,
    hasMore,
  });
  const forged = findForged(key, { cut, head });
  if (forged !== null) return conclude({ position: before.position, reason: `the ${forged} mark was changed` });
  for (;;) {
    const pageEntries = Math.min(PAGE_ENTRIES, limit - entries);
    if (pageEntries === 0) return conclude(null, true);
    const page = await listEntries(tx, before.position, pageEntries);
    for (const stored of page) {
      const { atMs } = stored;
      const isWritable = Number.isInteger(atMs) && Math.abs(atMs) <= MAX_TIME_MS;
      const at = new Date(isWritable ? atMs : 0);
      const chained = chainEntry(key, before, { at, entry: stored.entry });
      if (stored.position !== chained.position) return conclude({ position: chained.position, reason: 'removed' });
      if (!isWritable || !stored.hash.equals(chained.hash))
        return conclude({ position: stored.position, reason: 'changed' });
      if (expected?.position === stored.position && !expected.hash.equals(stored.hash))
        return conclude({ position: stored.position, reason: 'differs from the expected hash' });
      before = chained;
      since ??= at;
      entries += 1;
    }
    if (page.length < pageEntries) break;
  }
  const end = Math.max(head?.position ?? 0, expected?.position ?? 0);
  if (before.position < end) return conclude({ position: before.position + 1, reason: 'removed' });
  if (before.position > (head?.position ?? 0))
    return conclude({ position: (head?.position ?? 0) + 1, reason: 'added' });
  return conclude(null);
}

function findForged(key: Buffer, marks: Readonly<Record<MarkKind, Mark | null>>): MarkKind | null {
  const kinds: readonly MarkKind[] = ['cut', 'head'];
  return kinds.find((kind) => marks[kind] && !isSigned(key, kind, marks[kind])) ?? null;
}
