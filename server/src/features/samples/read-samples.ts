// The samples of a user as they are stored, outside of a book.
import type { Queryable } from '../../platform/db/database.ts';
import type { UserHandle } from '../subjects/index.ts';
import { keyText, openEntry, readEntry, type StoredBlock } from './block-entry.ts';
import {
  gatherParts,
  gatherSamples,
  joinRequests,
  type PartsOfDevices,
  type ReadableBlock,
  type SampleRequest,
  type SamplesOfDevices,
} from './gather-samples.ts';
import { readBlocksWithin } from './store.ts';

/** Of all devices; one query. */
export async function readSamples(
  db: Queryable,
  user: UserHandle,
  requests: readonly SampleRequest[],
): Promise<SamplesOfDevices> {
  const joined = joinRequests(requests);
  return gatherSamples(joined, openBlocks(await readBlocksWithin(db, user, joined, user.longestSampleMs)));
}

/** The same as they lie in their blocks, without the copy that joins them. */
export async function readSampleParts(
  db: Queryable,
  user: UserHandle,
  requests: readonly SampleRequest[],
): Promise<PartsOfDevices> {
  const joined = joinRequests(requests);
  return gatherParts(joined, openBlocks(await readBlocksWithin(db, user, joined, user.longestSampleMs)));
}

/** Each once, whichever of the requests found it. */
export function openBlocks(stored: readonly StoredBlock[]): ReadableBlock[] {
  const entries = new Map(stored.map((block) => [keyText(block), openEntry(block, block)]));
  return [...entries.values()].map((entry) => ({ ...entry, open: () => readEntry(entry) }));
}
