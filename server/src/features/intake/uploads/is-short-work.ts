// Decides which uploads may share a transaction. The number of bytes is not enough: a deletion of a few bytes can cover decades.
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { PreparedBatch } from '../../pipeline/ingest/index.ts';

/** All sample deletions of an upload together. More would consolidate many days while the rest of the group waits. */
const MAX_DELETED_MS = 7 * DAY_MS;

export function isShortWork(parts: readonly Pick<PreparedBatch, 'deletions'>[]): boolean {
  const deletions = parts.flatMap((part) => part.deletions);
  const deletedMs = deletions.reduce((sum, one) => sum + (one.kind === 'samples' ? one.end - one.start : 0), 0);
  return parts.length === 1 && deletedMs <= MAX_DELETED_MS;
}
