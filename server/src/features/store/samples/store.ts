// SQL of sample_blocks (docs/decisions/0008). Writers hold the user's lock.
import { type MetricId, metricIdOf, metricNumberOf } from '../../../domain/metrics/index.ts';
import { BLOCK_LENGTH_MS } from '../../../domain/packed/sample-blocks/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';
import { rowStatement } from '../../../platform/db/row-statement.ts';
import { sharedWrite } from '../../../platform/db/shared-transaction.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { BlockKey } from './block-entry.ts';
import { blockBegin, blockOf } from './block-numbers.ts';
import type { BlockRow } from './block-row.ts';
import type { InclusiveInterval } from './changed-interval.ts';

/** The summary of a block, without decoding it. */
export type BlockOutline = {
  readonly block: number;
  readonly device: DeviceNumber;
  readonly revision: number;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly endMs: number;
};
/** The payload is null if all starts lie in the interval: then the block need not be decoded. */
export type OutlinedBlock = BlockOutline & { readonly payload: Buffer | null };

const OUTLINE_BLOCKS = statement(
  'outline_sample_blocks',
  `select block, device, revision, count, first_ms, last_ms, reach_seconds,
          case when block::bigint * ${BLOCK_LENGTH_MS} + first_ms < $5 or block::bigint * ${BLOCK_LENGTH_MS} + last_ms > $6
               then payload end as payload
     from sample_blocks
    where user_id = $1 and metric = $2 and block between $3 and $4
    order by block, device`,
);

/** Blocks of a metric with starts in or near the closed interval. */
export async function outlineBlocks(
  db: Queryable,
  user: UserHandle,
  metric: MetricId,
  interval: InclusiveInterval,
): Promise<OutlinedBlock[]> {
  const fromMs = Math.max(Number.MIN_SAFE_INTEGER, Math.ceil(interval.fromMs));
  const toMs = Math.min(Number.MAX_SAFE_INTEGER, Math.floor(interval.toMs));
  const rows = await db.query<OutlineRow & { payload: Buffer | null }>(OUTLINE_BLOCKS, [
    user.userId,
    metricNumberOf(metric),
    blockOf(fromMs),
    blockOf(toMs),
    fromMs,
    toMs,
  ]);
  return rows.map((row) => ({ ...toOutline(row), payload: row.payload }));
}

const OUTLINE_RUNS = statement(
  'outline_runs_of_sample_blocks',
  `select s.block, s.device, s.revision, s.count, s.first_ms, s.last_ms, s.reach_seconds
     from unnest($4::integer[], $5::integer[]) as wanted(first, last)
    cross join lateral (select * from sample_blocks
      where user_id = $1 and metric = $2 and device = $3 and block between wanted.first and wanted.last offset 0) s`,
);

/** All blocks of a metric and device in disjoint runs. */
export async function outlineRuns(
  db: Queryable,
  user: UserHandle,
  { metric, device }: { readonly metric: MetricId; readonly device: DeviceNumber },
  runs: readonly { readonly first: number; readonly last: number }[],
): Promise<BlockOutline[]> {
  if (runs.length === 0) return [];
  const rows = await db.query<OutlineRow>(OUTLINE_RUNS, [
    user.userId,
    metricNumberOf(metric),
    device,
    runs.map(({ first }) => first),
    runs.map(({ last }) => last),
  ]);
  return rows.map(toOutline);
}

type OutlineRow = Pick<BlockOutline, 'block' | 'device' | 'revision' | 'count'> & {
  first_ms: number;
  last_ms: number;
  reach_seconds: number;
};

function toOutline({ block, device, revision, count, first_ms, last_ms, reach_seconds }: OutlineRow): BlockOutline {
  const begin = blockBegin(block);
  return {
    block,
    device,
    revision,
    count,
    firstMs: begin + first_ms,
    lastMs: begin + last_ms,
    endMs: begin + reach_seconds * 1_000,
  };
}

const COUNT_BLOCKS = statement(
  'count_sample_blocks',
  `select metric, block, sum(count)::integer as count from sample_blocks
    where user_id = $1 and metric = any($2::smallint[]) and block between $3 and $4
    group by metric, block order by metric, block`,
);

export type BlockCount = { readonly beginMs: number; readonly count: number };

/** The number of samples of all devices per metric and block, by time. For planning only: decodes no block. */
export async function countSamples(
  db: Queryable,
  user: UserHandle,
  metrics: readonly MetricId[],
  { fromMs, toMs }: InclusiveInterval,
): Promise<Map<MetricId, BlockCount[]>> {
  const rows = await db.query<{ metric: number; block: number; count: number }>(COUNT_BLOCKS, [
    user.userId,
    metrics.map(metricNumberOf),
    blockOf(fromMs - user.longestSampleMs),
    blockOf(toMs - 1),
  ]);
  const counts = new Map<MetricId, BlockCount[]>(metrics.map((metric) => [metric, []]));
  for (const { metric, block, count } of rows)
    counts.get(metricIdOf(metric) as MetricId)?.push({ beginMs: blockBegin(block), count });
  return counts;
}

const writeRows = rowStatement({
  name: 'write_sample_blocks',
  columns: 13,
  text: (
    rows,
  ) => `insert into sample_blocks as stored (user_id, min, max, sum, block, revision, count, first_ms, last_ms,
      reach_seconds, metric, device, payload)
    values ${rows}
    on conflict (user_id, metric, block, device) do update
      set min = excluded.min, max = excluded.max, sum = excluded.sum, revision = excluded.revision,
          count = excluded.count, first_ms = excluded.first_ms, last_ms = excluded.last_ms,
          reach_seconds = excluded.reach_seconds, payload = excluded.payload
      where stored.revision = excluded.revision - 1
    returning 1`,
});
const writeShared = sharedWrite<readonly (readonly unknown[])[]>(async (db, lists) => {
  const rows = lists.flat();
  requireAll(await writeRows(db, rows), rows);
});

/** Fails if a block changed since it was read, which cannot happen while the caller holds the user's lock. */
export async function writeBlocks(db: Queryable, user: UserHandle, rows: readonly BlockRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map((row) => [
    user.userId,
    row.min,
    row.max,
    row.sum,
    row.block,
    row.revision,
    row.count,
    row.firstMs,
    row.lastMs,
    row.reachSeconds,
    metricNumberOf(row.metric),
    row.device,
    row.payload,
  ]);
  await writeShared(db, values);
}

const DELETE_BLOCKS = statement(
  'delete_sample_blocks',
  `delete from sample_blocks s
    using unnest($2::smallint[], $3::integer[], $4::smallint[], $5::integer[]) as gone(metric, block, device, revision)
    where s.user_id = $1 and s.metric = gone.metric and s.block = gone.block and s.device = gone.device
      and s.revision = gone.revision
    returning 1`,
);

export async function deleteBlocks(
  db: Queryable,
  user: UserHandle,
  gone: readonly (BlockKey & { readonly revision: number })[],
): Promise<void> {
  if (gone.length === 0) return;
  const deleted = await db.query(DELETE_BLOCKS, [
    user.userId,
    gone.map(({ metric }) => metricNumberOf(metric)),
    gone.map(({ block }) => block),
    gone.map(({ device }) => device),
    gone.map(({ revision }) => revision),
  ]);
  requireAll(deleted.length, gone);
}

function requireAll(doneCount: number, wanted: readonly unknown[]): void {
  if (doneCount !== wanted.length)
    throw new Error("a sample block changed since it was read: another writer did not hold the user's lock");
}

const DELETE_DEVICE = statement(
  'delete_sample_blocks_of_device',
  'delete from sample_blocks where user_id = $1 and device = $2',
);

export async function deleteBlocksOfDevice(db: Queryable, user: UserHandle, device: DeviceNumber): Promise<void> {
  await db.query(DELETE_DEVICE, [user.userId, device]);
}

/** One metric per statement: on a slow disk, many years of many metrics would exceed the time limit of a statement. */
export async function removeSamples(db: Queryable, user: UserHandle): Promise<void> {
  const next = 'select metric from sample_blocks where user_id = $1 and metric > $2 order by metric limit 1';
  for (let metric = -1; ; ) {
    const [row] = await db.query<{ metric: number }>(next, [user.userId, metric]);
    if (row === undefined) return;
    metric = row.metric;
    await db.query('delete from sample_blocks where user_id = $1 and metric = $2', [user.userId, metric]);
  }
}

/** The metrics of a device's samples, and the interval that they cover. */
export type SampleInterval = {
  readonly metric: MetricId;
  readonly device: DeviceNumber;
  readonly fromMs: number;
  readonly toMs: number;
};

const LIST_INTERVALS = statement(
  'list_sample_extents',
  `select metric, device, min(block) as first, max(block::bigint * $2 + reach_seconds) as reach from sample_blocks
    where user_id = $1 group by metric, device`,
);

export async function listSampleIntervals(db: Queryable, user: UserHandle): Promise<SampleInterval[]> {
  const rows = await db.query<{ metric: number; device: DeviceNumber; first: number; reach: string }>(LIST_INTERVALS, [
    user.userId,
    BLOCK_LENGTH_MS / 1_000,
  ]);
  return rows.flatMap(({ metric, device, first, reach }) => {
    const id = metricIdOf(metric);
    return id === null ? [] : [{ metric: id, device, fromMs: first * BLOCK_LENGTH_MS, toMs: Number(reach) * 1_000 }];
  });
}

/** A stored row, for inspection by operators. */
export type ListedBlock = BlockOutline & {
  /** Null: this version does not know the metric. */
  readonly metric: MetricId | null;
  readonly metricNumber: number;
  readonly min: number;
  readonly max: number;
  readonly sum: number;
  readonly storedBytes: number;
};

export type BlockPosition = { readonly metricNumber: number; readonly block: number; readonly device: DeviceNumber };

type BlockFilter = {
  readonly metric: MetricId | null;
  readonly device: DeviceNumber | null;
  /** Only blocks with a sample in it. Null: all blocks. */
  readonly interval: InclusiveInterval | null;
};

const LIST_BLOCKS = `
  select metric, block, device, revision, count, min, max, sum, first_ms, last_ms, reach_seconds, length(payload) as bytes
    from sample_blocks
   where user_id = $1 and ($2::smallint is null or metric = $2) and ($3::smallint is null or device = $3)
     and ($4::bigint is null or (block::bigint * ${BLOCK_LENGTH_MS} + first_ms < $5::bigint and block::bigint * ${BLOCK_LENGTH_MS} + reach_seconds::bigint * 1000 >= $4))
     and ($6::smallint is null or (metric, block, device) > ($6, $7::integer, $8::smallint))
   order by metric, block, device limit $9`;

/** Sorted by key. */
export async function listBlocks(
  db: Queryable,
  user: UserHandle,
  { metric, device, interval }: BlockFilter,
  page: { readonly after: BlockPosition | null; readonly limit: number },
): Promise<ListedBlock[]> {
  const rows = await db.query<OutlineRow & { metric: number; min: number; max: number; sum: number; bytes: number }>(
    LIST_BLOCKS,
    [
      user.userId,
      metric === null ? null : metricNumberOf(metric),
      device,
      interval?.fromMs ?? null,
      interval?.toMs ?? null,
      page.after?.metricNumber ?? null,
      page.after?.block ?? null,
      page.after?.device ?? null,
      page.limit,
    ],
  );
  return rows.map(({ metric: metricNumber, min, max, sum, bytes, ...row }) => ({
    ...toOutline(row),
    metric: metricIdOf(metricNumber),
    metricNumber,
    min,
    max,
    sum,
    storedBytes: bytes,
  }));
}

export async function readBlockPayload(
  db: Queryable,
  user: UserHandle,
  position: BlockPosition,
): Promise<Buffer | null> {
  const [row] = await db.query<{ payload: Buffer }>(
    'select payload from sample_blocks where user_id = $1 and metric = $2 and block = $3 and device = $4',
    [user.userId, position.metricNumber, position.block, position.device],
  );
  return row?.payload ?? null;
}
