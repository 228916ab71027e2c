// Merges the blocks of a past hour. A program that calls once per second leaves 3,600 blocks an hour, which are many rows to search
// and take several times the space of a few full ones. The calls keep their positions, so that cursors stay valid.
import type { Tenant } from '../../../domain/tenancy.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { Database } from '../../../platform/db/database.ts';
import { MAX_BLOCK_CALLS } from './request-batch.ts';
import { startBlock } from './request-block.ts';
import { findCalls } from './request-filter.ts';
import {
  listUnmergedBlocks,
  lockBlocksForMerging,
  markMerged,
  removeBlocks,
  replaceBlock,
  type UnmergedBlock,
} from './store.ts';

const BLOCKS_AT_A_TIME = 1_000;

/** Blocks whose last call is before this time, which is long enough ago that no process still has calls before it to write. */
export async function mergeBlocks(db: Database, tenant: Tenant, beforeMs: number): Promise<void> {
  for (;;) {
    const runs = planRuns(await listUnmergedBlocks(db, tenant, BLOCKS_AT_A_TIME), beforeMs);
    if (runs.length === 0) return;
    for (const run of runs) await mergeRun(db, tenant, run);
  }
}

/** Neighbours of one hour with at most a full block of calls; the hour limits how long old calls are kept. */
export function planRuns(blocks: readonly UnmergedBlock[], beforeMs: number): number[][] {
  const runs: number[][] = [];
  let [hour, calls] = [-1, 0];
  for (const { seq, size, lastAt } of blocks) {
    if (lastAt.getTime() >= beforeMs) break;
    const hourOfBlock = Math.floor(lastAt.getTime() / HOUR_MS);
    if (hourOfBlock !== hour || calls + size > MAX_BLOCK_CALLS) {
      runs.push([]);
      [hour, calls] = [hourOfBlock, 0];
    }
    runs.at(-1)?.push(seq);
    calls += size;
  }
  return runs;
}

async function mergeRun(db: Database, tenant: Tenant, seqs: readonly number[]): Promise<void> {
  const [alone] = seqs;
  if (alone !== undefined && seqs.length === 1) return markMerged(db, tenant, alone);
  await db.asyncCommitTransaction(async (tx) => {
    const blocks = await lockBlocksForMerging(tx, tenant, seqs);
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (first === undefined || last === undefined) return; // removed meanwhile
    const merged = startBlock();
    for (const block of blocks) for (const call of findCalls(block, {})) merged.add(call, call.seq - first.seq);
    const positions = last.seq + last.positions - first.seq;
    await removeBlocks(
      tx,
      tenant,
      blocks.slice(1).map(({ seq }) => seq),
    );
    await replaceBlock(tx, tenant, first.seq, { ...merged.build(), positions, is_merged: true });
  });
}
