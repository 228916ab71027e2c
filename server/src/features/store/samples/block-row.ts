// The row of a block: its bytes, and summary columns so that most queries decode no block.
import { getMetricOrThrow } from '../../../domain/metrics/index.ts';
import { type SampleColumns, summarizeBlock } from '../../../domain/packed/sample-blocks/index.ts';
import type { BlockKey } from './block-entry.ts';
import { blockBegin } from './block-numbers.ts';
import { packBlock } from './block-payload.ts';
import { normalizedSeries } from './normalized-series.ts';

export type BlockRow = BlockKey & {
  readonly min: number;
  readonly max: number;
  readonly sum: number;
  readonly revision: number;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly reachSeconds: number;
  readonly payload: Buffer;
};

export function makeRow({ metric, block, device }: BlockKey, columns: SampleColumns, revision: number): BlockRow {
  const begin = blockBegin(block);
  const { values } = normalizedSeries(getMetricOrThrow(metric), columns);
  const { firstStart, lastStart, ...summary } = summarizeBlock({ starts: columns.starts, values });
  return {
    metric,
    block,
    device,
    revision,
    ...summary,
    firstMs: firstStart - begin,
    lastMs: lastStart - begin,
    reachSeconds: Math.ceil((latestEnd(columns) - begin) / 1_000),
    payload: packBlock(columns),
  };
}

function latestEnd({ starts, ends }: Pick<SampleColumns, 'starts' | 'ends'>): number {
  if (ends === null) return starts.at(-1) ?? Number.NEGATIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < ends.length; index += 1)
    if ((ends[index] as number) > latest) latest = ends[index] as number;
  return latest;
}
