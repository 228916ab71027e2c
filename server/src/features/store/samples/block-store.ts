// Reads sample blocks with their samples. Users that share a transaction share the statements.
import { type MetricId, metricIdOf, metricNumberOf } from '../../../domain/metrics/index.ts';
import { BLOCK_LENGTH_MS } from '../../../domain/packed/sample-blocks/index.ts';
import type { DeviceNumber, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';
import { sharedStatement } from '../../../platform/db/shared-transaction.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { StoredBlock } from './block-entry.ts';
import { blockOf } from './block-numbers.ts';
import type { SampleRequest } from './gather-samples.ts';

type WireRow = {
  user_id: UserId;
  metric: number;
  block: number;
  device: DeviceNumber;
  revision: number;
  payload: Buffer;
};

/** `group by` and `or` fix the plan (`platform/db/shared-transaction.ts`). */
const READ_BLOCKS = statement(
  'read_sample_blocks',
  `select s.user_id, s.metric, s.block, s.device, s.revision, s.payload
     from unnest($1::uuid[], $2::smallint[], $3::smallint[], $4::integer[]) as wanted(user_id, device, metric, block)
    cross join lateral (select * from sample_blocks where (user_id = any($5::uuid[]) or user_id = ($5::uuid[])[1])
        and user_id = wanted.user_id and metric = wanted.metric and block = wanted.block and device = wanted.device
        group by user_id, metric, block, device) s`,
);

type WantedBlocks = {
  readonly user: UserHandle;
  readonly device: DeviceNumber;
  readonly wanted: readonly { readonly metric: MetricId; readonly block: number }[];
};

const readSharedBlocks = sharedStatement<WantedBlocks, StoredBlock[]>(async (db, reads) => {
  const rows = reads.flatMap(({ user: { userId }, device, wanted }) =>
    wanted.map(({ metric, block }) => ({ userId, device, metric: metricNumberOf(metric), block })),
  );
  const found = await db.query<WireRow>(READ_BLOCKS, [
    rows.map(({ userId }) => userId),
    rows.map(({ device }) => device),
    rows.map(({ metric }) => metric),
    rows.map(({ block }) => block),
    reads.map(({ user }) => user.userId),
  ]);
  return splitByUser(found, reads);
});

/** The existing blocks of one device. */
export function readBlocks(
  db: Queryable,
  user: UserHandle,
  device: DeviceNumber,
  wanted: WantedBlocks['wanted'],
): Promise<StoredBlock[]> {
  return readSharedBlocks(db, { user, device, wanted });
}

const READ_BLOCKS_WITHIN = statement(
  'read_sample_blocks_within',
  `select s.user_id, s.metric, s.block, s.device, s.revision, s.payload
     from unnest($1::uuid[], $2::text[], $3::integer[], $4::integer[], $5::bigint[]) as wanted(user_id, metrics, first, last, from_ms)
    cross join lateral unnest(wanted.metrics::smallint[]) as of_metric(metric)
    cross join lateral (select * from sample_blocks where (user_id = any($6::uuid[]) or user_id = ($6::uuid[])[1])
        and user_id = wanted.user_id and metric = of_metric.metric and block between wanted.first and wanted.last
        and block::bigint * ${BLOCK_LENGTH_MS} + reach_seconds::bigint * 1000 >= wanted.from_ms
        group by user_id, metric, block, device) s`,
);

type ReadWithin = {
  readonly user: UserHandle;
  readonly requests: readonly SampleRequest[];
  readonly lookBackMs: number;
};

const readSharedWithin = sharedStatement<ReadWithin, StoredBlock[]>(async (db, reads) => {
  const rows = reads.flatMap(({ user: { userId }, requests, lookBackMs }) =>
    groupByInterval(requests).map(({ metrics, fromMs, toMs }) => ({
      userId,
      metrics: `{${metrics.map(metricNumberOf)}}`,
      first: blockOf(fromMs - lookBackMs),
      last: blockOf(toMs - 1),
      fromMs: Math.floor(fromMs),
    })),
  );
  const found = await db.query<WireRow>(READ_BLOCKS_WITHIN, [
    rows.map(({ userId }) => userId),
    rows.map(({ metrics }) => metrics),
    rows.map(({ first }) => first),
    rows.map(({ last }) => last),
    rows.map(({ fromMs }) => fromMs),
    reads.map(({ user }) => user.userId),
  ]);
  return splitByUser(found, reads);
});

/** An upload asks for several metrics of the same day; each row of a shared read is sent to every node. */
function groupByInterval(requests: readonly SampleRequest[]) {
  return [...Map.groupBy(requests, ({ fromMs, toMs }) => `${fromMs} ${toMs}`).values()].map((same) => {
    const [{ fromMs, toMs }] = same as [SampleRequest];
    return { metrics: same.map(({ metric }) => metric), fromMs, toMs };
  });
}

/** Blocks of all devices that can contain the requested samples; close requests of a metric may return a block more than once. */
export async function readBlocksWithin(
  db: Queryable,
  user: UserHandle,
  requests: readonly SampleRequest[],
  lookBackMs: number,
): Promise<StoredBlock[]> {
  return requests.length === 0 ? [] : readSharedWithin(db, { user, requests, lookBackMs });
}

/** The blocks of each read; a user has one read at a time. Skips metrics that this version does not know. */
function splitByUser(rows: readonly WireRow[], reads: readonly { readonly user: UserHandle }[]): StoredBlock[][] {
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  return reads.map(({ user }) =>
    (byUser.get(user.userId) ?? []).flatMap(({ metric, block, device, revision, payload }) => {
      const id = metricIdOf(metric);
      return id === null ? [] : [{ metric: id, block, device, revision, payload }];
    }),
  );
}
