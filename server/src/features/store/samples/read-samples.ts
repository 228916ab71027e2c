// Reads the stored samples of a user, without a buffer.
import type { Queryable } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { StoredBlock } from './block-entry.ts';
import { unpackBlock } from './block-payload.ts';
import { readBlocksWithin } from './block-store.ts';
import {
  gatherParts,
  gatherSamples,
  joinRequests,
  type PartsOfDevices,
  type ReadableBlock,
  type SampleRequest,
  type SamplesOfDevices,
} from './gather-samples.ts';

/** Reads the samples of all devices in one query. */
export async function readSamples(
  db: Queryable,
  user: UserHandle,
  requests: readonly SampleRequest[],
): Promise<SamplesOfDevices> {
  const joined = joinRequests(requests);
  return gatherSamples(joined, openBlocks(await readBlocksWithin(db, user, joined, user.longestSampleMs)));
}

/** The same, one part per block, without copying them into one column. */
export async function readSampleParts(
  db: Queryable,
  user: UserHandle,
  requests: readonly SampleRequest[],
): Promise<PartsOfDevices> {
  const joined = joinRequests(requests);
  return gatherParts(joined, openBlocks(await readBlocksWithin(db, user, joined, user.longestSampleMs)));
}

export function openBlocks(stored: readonly StoredBlock[]): ReadableBlock[] {
  return stored.map(({ metric, block, device, payload }) => ({
    metric,
    block,
    device,
    open: () => unpackBlock(payload),
  }));
}
