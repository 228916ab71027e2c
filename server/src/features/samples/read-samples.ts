// The samples of a user as they are stored, outside of a book.
import type { Queryable } from '../../platform/db/database.ts';
import type { UserHandle } from '../subjects/index.ts';
import type { StoredBlock } from './block-entry.ts';
import { unpackBlock } from './block-payload.ts';
import {
  gatherSamples,
  joinRequests,
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

export function openBlocks(stored: readonly StoredBlock[]): ReadableBlock[] {
  return stored.map(({ metric, block, device, payload }) => ({
    metric,
    block,
    device,
    open: () => unpackBlock(payload),
  }));
}
