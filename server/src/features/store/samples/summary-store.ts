// SQL of sample blocks that reads their summaries and no samples.
import { type MetricId, metricNumberOf } from '../../../domain/metrics/index.ts';
import type { DeviceNumber, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { blockBegin, blockOf } from './block-numbers.ts';

/** Values are in the unit of the catalog. */
export type BlockSummary = {
  readonly device: DeviceNumber;
  readonly beginMs: number;
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly sum: number;
};

const SUMMARIZE = statement(
  'summarize_sample_blocks',
  `select block, device, count, min, max, sum from sample_blocks
    where user_id = $1 and metric = $2 and block between $3 and $4 order by block, device`,
);

/** Of all blocks that overlap [fromMs, toMs), by time. */
export async function summarizeBlocks(
  db: Queryable,
  user: UserHandle,
  metric: MetricId,
  fromMs: number,
  toMs: number,
): Promise<BlockSummary[]> {
  const rows = await db.query<Omit<BlockSummary, 'beginMs'> & { block: number }>(SUMMARIZE, [
    user.userId,
    metricNumberOf(metric),
    blockOf(fromMs),
    blockOf(toMs - 1),
  ]);
  return rows.map(({ block, ...summary }) => ({ ...summary, beginMs: blockBegin(block) }));
}

/**
 * The key holds every column, so that PostgreSQL answers from the index alone. `known` steps from metric to metric: two look-ups per
 * metric that the user has, instead of one for each of the catalog.
 */
const LIST_COVERED = statement(
  'list_covered_sample_blocks',
  `select u.id as user_id, s.device, s.block
     from unnest($1::uuid[]) as u(id) cross join lateral (
       with recursive known as (
         (select metric from sample_blocks where user_id = u.id order by metric limit 1)
         union all
         select (select b.metric from sample_blocks b where b.user_id = u.id and b.metric > known.metric order by b.metric limit 1)
           from known where known.metric is not null)
       select b.device, b.block from known cross join lateral (select device, block from sample_blocks
         where user_id = u.id and metric = known.metric and block between $2 and $3 offset 0) b
        where known.metric is not null) s
    group by u.id, s.device, s.block`,
);

type CoveredBlock = { readonly userId: UserId; readonly device: DeviceNumber; readonly beginMs: number };

/** Blocks in which a sample of any metric starts. */
export async function listCoveredBlocks(
  db: Queryable,
  users: readonly UserHandle[],
  fromMs: number,
  toMs: number,
): Promise<CoveredBlock[]> {
  const rows = await db.query<{ user_id: UserId; device: DeviceNumber; block: number }>(LIST_COVERED, [
    users.map(({ userId }) => userId),
    blockOf(fromMs),
    blockOf(toMs - 1),
  ]);
  return rows.map(({ user_id: userId, device, block }) => ({ userId, device, beginMs: blockBegin(block) }));
}
