// Calls that wait to be written, in blocks of one environment each.
import type { LoggedRequest } from './logged-request.ts';
import { type BlockBuilder, type RequestBlock, startBlock } from './request-block.ts';

/** Less than the positions between two new blocks, 1,024. */
export const MAX_BLOCK_CALLS = 1_000;

type Environment = Pick<LoggedRequest, 'account_id' | 'environment'>;
type EnvironmentBlocks = Environment & { readonly full: BlockBuilder[]; open: BlockBuilder };

type RequestBatch = {
  size: number;
  readonly environments: Map<string, EnvironmentBlocks>;
};

/** A row of request_blocks, except seq. */
export type NewBlock = Environment & RequestBlock & { readonly positions: number };

export function startBatch(): RequestBatch {
  return { size: 0, environments: new Map() };
}

export function addToBatch(batch: RequestBatch, call: LoggedRequest): void {
  const blocks = batch.environments.getOrInsertComputed(`${call.account_id}${call.environment}`, () => ({
    account_id: call.account_id,
    environment: call.environment,
    full: [],
    open: startBlock(),
  }));
  if (blocks.open.size === MAX_BLOCK_CALLS) {
    blocks.full.push(blocks.open);
    blocks.open = startBlock();
  }
  blocks.open.add(call, blocks.open.size);
  batch.size += 1;
}

export function joinBatches(older: RequestBatch, newer: RequestBatch): RequestBatch {
  const environments = new Map(older.environments);
  for (const [key, blocks] of newer.environments) {
    const before = environments.get(key);
    const full = before === undefined ? blocks.full : [...before.full, before.open, ...blocks.full];
    environments.set(key, { ...blocks, full });
  }
  return { size: older.size + newer.size, environments };
}

export function listNewBlocks({ environments }: RequestBatch): NewBlock[] {
  return [...environments.values()].flatMap(({ account_id, environment, full, open }) =>
    [...full, open].map((block) => ({ account_id, environment, positions: block.size, ...block.build() })),
  );
}
