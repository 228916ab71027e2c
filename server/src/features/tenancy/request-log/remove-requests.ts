// Removes the calls that concern a user from their blocks, for the erasure of the user.
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../user-core/index.ts';
import { type RequestBlock, startBlock } from './request-block.ts';
import { findCalls, type StoredRequestBlock } from './request-filter.ts';
import { lockBlocksOfUser, lockOutMerging, removeBlocks, replaceBlock } from './store.ts';

const BLOCKS_AT_A_TIME = 8; // up to 8,000 calls, which are read within milliseconds

/** Of a few blocks, so that the transaction soon ends: erasures of other users need the same blocks. False: there are none left. */
export async function removeRequests(tx: Transaction, user: UserHandle): Promise<boolean> {
  await lockOutMerging(tx);
  const blocks = await lockBlocksOfUser(tx, user, BLOCKS_AT_A_TIME);
  for (const block of blocks) {
    const kept = withoutUser(block, user);
    if (kept === null) await removeBlocks(tx, user.tenant, [block.seq]);
    else await replaceBlock(tx, user.tenant, block.seq, { ...kept, positions: block.positions });
  }
  return blocks.length > 0;
}

/** The other calls keep their positions. Null: there are none. */
function withoutUser(block: StoredRequestBlock, { userId }: UserHandle): RequestBlock | null {
  const rest = startBlock();
  for (const call of findCalls(block, {})) if (call.user_id !== userId) rest.add(call, call.seq - block.seq);
  return rest.size === 0 ? null : rest.build();
}
