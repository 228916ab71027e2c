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

/** The key holds every column, so that PostgreSQL answers from the index alone: with every metric named, it reads only these blocks. */
const LIST_COVERED = statement(
  'list_covered_sample_blocks',
  `select user_id, device, block from sample_blocks
    where user_id = any($1::uuid[]) and metric = any($4::smallint[]) and block between $2 and $3
    group by user_id, device, block`,
);
const EVERY_METRIC = METRICS.map(({ id }) => metricNumberOf(id));

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
    EVERY_METRIC,
  ]);
  return rows.map(({ user_id: userId, device, block }) => ({ userId, device, beginMs: blockBegin(block) }));
}
