// SQL of sample blocks that reads their summaries and no samples.
import { METRICS, type MetricId, metricNumberOf } from '../../../domain/metrics/index.ts';
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

/** The key holds every column, so that PostgreSQL answers from the index alone: one look-up per user and metric. */
const LIST_COVERED = statement(
  'list_covered_sample_blocks',
  `select u.id as user_id, s.device, s.block
     from unnest($1::uuid[]) as u(id) cross join unnest($2::smallint[]) as m(metric)
    cross join lateral (select device, block from sample_blocks
      where user_id = u.id and metric = m.metric and block between $3 and $4 offset 0) s
    group by u.id, s.device, s.block`,
);
const SAMPLED_METRICS = METRICS.filter(({ samples }) => samples !== 'no').map(({ id }) => metricNumberOf(id));

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
    SAMPLED_METRICS,
    blockOf(fromMs),
    blockOf(toMs - 1),
  ]);
  return rows.map(({ user_id: userId, device, block }) => ({ userId, device, beginMs: blockBegin(block) }));
}
