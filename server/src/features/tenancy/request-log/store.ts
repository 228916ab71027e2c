// All SQL of request_blocks.
import type { AccountId, Tenant } from '../../../domain/tenancy.ts';
import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../user-core/index.ts';
import type { NewBlock } from './request-batch.ts';
import { type CallGroup, hashId, type RequestBlock } from './request-block.ts';
import { type RequestFilter, SLOW_MS, type StoredRequestBlock } from './request-filter.ts';

const RECORD = `account_id uuid, environment text, positions bigint, size int, first_at float8, last_at float8, failures int, max_ms real, routes text[],
  users uuid[], id_hashes int[], calls text, is_merged boolean`;

/**
 * The id of a user who was deleted meanwhile, or is of another account, is not stored. The search has no condition on the account: PostgreSQL
 * could choose its index and read all users of the account.
 */
const INSERT_BLOCKS = statement(
  'insert_request_blocks',
  `insert into request_blocks (account_id, environment, span, size, first_at, last_at, failures, max_ms, routes, users, id_hashes, calls)
   select b.account_id, b.environment, b.positions, b.size, to_timestamp(b.first_at / 1000), to_timestamp(b.last_at / 1000), b.failures, b.max_ms, b.routes,
       array(select (select case when k.account_id = b.account_id and k.environment = b.environment then k.id end from kept_users k where k.id = u.id)
               from unnest(b.users) with ordinality as u (id, place) order by u.place),
       b.id_hashes, b.calls
     from json_to_recordset($1) as b (${RECORD})`,
);

const WRITE_LOCK = 0x7269_7670;
const MAX_SILENCE_MS = 2_000; // of a process that has the lock; a statement waits up to 10 s for it
const LOCK_WRITING = statement(
  'lock_request_log',
  `select set_config('idle_in_transaction_session_timeout', $2, true), pg_advisory_xact_lock($1)`,
);

/**
 * Commits without waiting for the disk: a crash loses seconds of the log. Processes write one after the other, so that blocks appear in the
 * order of their positions: a live stream would miss a block that appears before its position. The lock has a statement of its own, because the
 * second one must see users that were deleted while the first one waited. The database ends the transaction of a process that hangs.
 */
export async function insertBlocks(db: Database, blocks: readonly NewBlock[]): Promise<void> {
  await db.asyncCommitTransaction(async (tx) => {
    await tx.query(LOCK_WRITING, [WRITE_LOCK, String(MAX_SILENCE_MS)]);
    await tx.query(INSERT_BLOCKS, [JSON.stringify(blocks.map(toRecord))]);
  });
}

/** Long lists as texts, which PostgreSQL parses several times faster than lists in JSON. */
function toRecord<Block extends RequestBlock>({ users, id_hashes, calls, ...block }: Block) {
  return {
    ...block,
    users: `{${users.map(String).join()}}`,
    id_hashes: `{${id_hashes.join()}}`,
    calls: JSON.stringify(calls),
  };
}

const COLUMNS = 'b.seq::float8 as seq, b.span::float8 as positions, b.size, b.users, b.calls';
const OF_TENANT = 'b.account_id = $1 and b.environment = $2';

/** Parsed here: a column of type json would be parsed by the database too. */
async function selectBlocks(db: Queryable, text: string, values: readonly unknown[]): Promise<StoredRequestBlock[]> {
  const rows = await db.query<Omit<StoredRequestBlock, 'calls'> & { calls: string }>(text, values);
  return rows.map((row) => ({ ...row, calls: JSON.parse(row.calls) as CallGroup[] }));
}

type Condition = readonly [text: (parameter: string) => string, value: unknown];

/** What a block must have to contain a matching call. */
function conditionsOf(filter: RequestFilter): Condition[] {
  const all: (readonly [...Condition, unknown?] | false | null | undefined)[] = [
    filter.before != null && [(p) => `b.seq < ${p}`, filter.before],
    filter.after != null && [(p) => `b.seq >= ${blockOf(p)} and b.seq + b.span > ${p} + 1`, filter.after],
    filter.id != null && [(p) => `${p} = any(b.id_hashes)`, hashId(filter.id)],
    needsFailure(filter) && [(p) => `b.failures > ${p}`, 0],
    filter.outcome === 'slow' && [(p) => `b.max_ms >= ${p}`, SLOW_MS],
    filter.route != null && [(p) => `${p} = any(b.routes)`, filter.route],
    filter.userId != null && [(p) => `${p} = any(b.users)`, filter.userId],
  ];
  return all.filter((condition): condition is Condition => Array.isArray(condition));
}

function needsFailure({ outcome, statusClass }: RequestFilter): boolean {
  return outcome === 'failed' || statusClass === '4xx' || statusClass === '5xx';
}

/** The first position of the block that has this position: merging may have extended it meanwhile. */
function blockOf(position: string): string {
  return `coalesce((select f.seq from request_blocks f where f.account_id = $1 and f.environment = $2 and f.seq <= ${position}
    order by f.seq desc limit 1), 0)`;
}

export const MAX_BLOCKS = 1_000;

/**
 * Newest first, or oldest first after a position: as many blocks as are needed for `limit` calls if all of them match, and at most
 * MAX_BLOCKS.
 */
export function listBlocks(
  db: Queryable,
  { accountId, environment }: Tenant,
  filter: RequestFilter,
): Promise<StoredRequestBlock[]> {
  const conditions = conditionsOf(filter);
  const where = conditions.map(([text], index) => `and ${text(`$${index + 5}`)}`).join(' ');
  const order = `order by b.seq ${filter.after == null ? 'desc' : 'asc'}`;
  return selectBlocks(
    db,
    `select ${COLUMNS} from (select b.*, sum(b.size) over (${order}) - b.size as calls_before from request_blocks b where ${OF_TENANT} ${where} ${order} limit $4) b
      where b.calls_before < $3 ${order}`,
    [accountId, environment, filter.limit, Math.min(filter.limit, MAX_BLOCKS), ...conditions.map(([, value]) => value)],
  );
}

/** By the id of the user. */
export async function readReferences(
  db: Queryable,
  { accountId, environment }: Tenant,
  userIds: readonly string[],
): Promise<Map<string, string | null>> {
  if (userIds.length === 0) return new Map();
  const rows = await db.query<{ id: string; reference: string | null }>(
    'select id, reference_id as reference from kept_users where id = any($1) and account_id = $2 and environment = $3',
    [userIds, accountId, environment],
  );
  return new Map(rows.map(({ id, reference }) => [id, reference]));
}

/** The position of the newest entry; 0: there is none. */
export async function readLastRequest(db: Queryable, { accountId, environment }: Tenant): Promise<number> {
  const [row] = await db.query<{ seq: number }>(
    `select (b.seq + b.span - 1)::float8 as seq from request_blocks b where ${OF_TENANT} order by b.seq desc limit 1`,
    [accountId, environment],
  );
  return row?.seq ?? 0;
}

const MERGE_LOCK = 0x7269_7668; // next to the lock of the audit trail

/** The calls of a user must not move to another block between the search for them and their removal. */
export async function lockOutMerging(tx: Transaction): Promise<void> {
  await tx.query('select pg_advisory_xact_lock_shared($1)', [MERGE_LOCK]);
}

/** Locks the blocks. */
export function lockBlocksOfUser(
  tx: Transaction,
  { tenant, userId }: UserHandle,
  limit: number,
): Promise<StoredRequestBlock[]> {
  return selectBlocks(
    tx,
    `select ${COLUMNS} from request_blocks b where ${OF_TENANT} and $3 = any(b.users) order by b.seq limit $4 for update`,
    [tenant.accountId, tenant.environment, userId, limit],
  );
}

export async function replaceBlock(
  tx: Transaction,
  { accountId, environment }: Tenant,
  seq: number,
  block: RequestBlock & { readonly positions: number; readonly is_merged?: true },
): Promise<void> {
  await tx.query(
    `update request_blocks b set span = n.positions, size = n.size, first_at = to_timestamp(n.first_at / 1000), last_at = to_timestamp(n.last_at / 1000),
         failures = n.failures, max_ms = n.max_ms, routes = n.routes, users = n.users, id_hashes = n.id_hashes, calls = n.calls,
         is_merged = b.is_merged or coalesce(n.is_merged, false)
       from json_to_record($4) as n (${RECORD}) where ${OF_TENANT} and b.seq = $3`,
    [accountId, environment, seq, JSON.stringify(toRecord(block))],
  );
}

export async function removeBlocks(
  tx: Transaction,
  { accountId, environment }: Tenant,
  seqs: readonly number[],
): Promise<void> {
  await tx.query(`delete from request_blocks b where ${OF_TENANT} and b.seq = any($3::bigint[])`, [
    accountId,
    environment,
    seqs,
  ]);
}

export type UnmergedBlock = { readonly seq: number; readonly size: number; readonly lastAt: Date };

/** The oldest ones, in their order. */
export function listUnmergedBlocks(
  db: Queryable,
  { accountId, environment }: Tenant,
  limit: number,
): Promise<UnmergedBlock[]> {
  return db.query<UnmergedBlock>(
    `select b.seq::float8 as seq, b.size, b.last_at as "lastAt" from request_blocks b where ${OF_TENANT} and not b.is_merged order by b.seq limit $3`,
    [accountId, environment, limit],
  );
}

/** Waits for erasures. */
export async function lockBlocksForMerging(
  tx: Transaction,
  { accountId, environment }: Tenant,
  seqs: readonly number[],
): Promise<StoredRequestBlock[]> {
  await tx.query('select pg_advisory_xact_lock($1)', [MERGE_LOCK]);
  return selectBlocks(
    tx,
    `select ${COLUMNS} from request_blocks b where ${OF_TENANT} and b.seq = any($3::bigint[]) order by b.seq for update`,
    [accountId, environment, seqs],
  );
}

export async function markMerged(db: Queryable, { accountId, environment }: Tenant, seq: number): Promise<void> {
  await db.query(`update request_blocks b set is_merged = true where ${OF_TENANT} and b.seq = $3`, [
    accountId,
    environment,
    seq,
  ]);
}

export async function listRequestFeeds(db: Queryable): Promise<Tenant[]> {
  return db.query<Tenant>(
    'select id as "accountId", environment from account_summaries, unnest($1::text[]) environment',
    [['live', 'sandbox']],
  );
}

/** Removes at most `limit` of the oldest blocks that are older than `before` or not within the newest `kept` calls. Returns their number. */
export async function removeOldBlocks(
  db: Queryable,
  { accountId, environment }: Tenant,
  { before, kept, limit }: { readonly before: Date; readonly kept: number; readonly limit: number },
): Promise<number> {
  const rows = await db.query(
    `delete from request_blocks b where ${OF_TENANT} and b.seq in (
       select c.seq from (select b.seq, b.last_at, sum(b.size) over (order by b.seq desc) as newest from request_blocks b where ${OF_TENANT}) c
        where c.last_at < $3 or c.newest > $4 order by c.seq limit $5)
     returning 1 as removed`,
    [accountId, environment, before, kept, limit],
  );
  return rows.length;
}

/** For the deletion of an account: removes at most `limit` blocks of calls and returns how many. */
export async function removeRequestsOf(db: Queryable, accountId: AccountId, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from request_blocks where (account_id, environment, seq) in (
       select account_id, environment, seq from request_blocks where account_id = $1 limit $2) returning 1 as removed`,
    [accountId, limit],
  );
  return rows.length;
}
