// All SQL of request_log.
import type { Tenant } from '../../../domain/tenancy.ts';
import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../user-core/index.ts';
import type { LoggedRequest } from './logged-request.ts';
import type { RequestBatch } from './request-batch.ts';

/**
 * One JSON text, because the driver needs several times longer to write fifteen arrays. The id of a user who was deleted
 * meanwhile is not stored.
 */
const INSERT_REQUESTS = statement(
  'insert_requests',
  `insert into request_log (account_id, environment, id, at, method, route, path, status, error, ms, bytes, credential_kind, credential_id, user_id, agent)
   select g.account_id, g.environment, c.id, to_timestamp(c.at / 1000), g.method, g.route, c.path, g.status, g.error, c.ms, c.bytes,
       g.credential_kind, c.credential_id, (select u.id from kept_users u where u.id = c.user_id), g.agent
     from json_to_recordset($1) as g (account_id uuid, environment text, method text, route text, status int, error text, credential_kind text,
         agent text, place int[], id text[], at float8[], path text[], ms real[], bytes bigint[], credential_id text[], user_id uuid[]),
       unnest(g.place, g.id, g.at, g.path, g.ms, g.bytes, g.credential_id, g.user_id) as c (place, id, at, path, ms, bytes, credential_id, user_id)
    order by c.place`,
);

/** Commits without waiting for the disk: a crash loses seconds of the log. */
export async function insertRequests(db: Database, { groups }: RequestBatch): Promise<void> {
  await db.asyncCommitTransaction((tx) => tx.query(INSERT_REQUESTS, [JSON.stringify([...groups.values()])]));
}

export type RequestEntry = {
  readonly seq: number;
  readonly id: string;
  readonly at: Date;
  readonly method: string;
  readonly route: string;
  readonly path: string;
  readonly status: number;
  readonly error: string | null;
  readonly ms: number;
  readonly bytes: number | null;
  readonly credentialKind: LoggedRequest['credential_kind'];
  readonly credentialId: string | null;
  readonly userId: string | null;
  readonly referenceId: string | null;
  readonly agent: string | null;
};

export type RequestFilter = {
  /** Entries before this one, newest first. */
  readonly before?: number | null;
  /** Entries after this one, oldest first. */
  readonly after?: number | null;
  readonly id?: string | null;
  readonly outcome?: 'failed' | 'slow' | null;
  readonly statusClass?: StatusClass | null;
  /** Part of the path, the error code or the program. */
  readonly text?: string | null;
  readonly isSuccess?: true;
  readonly method?: string | null;
  readonly route?: string | null;
  readonly userId?: string | null;
  readonly keyId?: string | null;
  readonly error?: string | null;
  readonly limit: number;
};

/** Failures name the condition of their partial index. */
const STATUSES = {
  '2xx': 'r.status < 300',
  '4xx': 'r.status >= 400 and r.status < 500',
  '5xx': 'r.status >= 400 and r.status >= 500',
} as const;
type StatusClass = keyof typeof STATUSES;

export const SLOW_MS = 500;

const COLUMNS = `r.seq::float8 as seq, r.id, r.at, r.method, r.route, r.path, r.status, r.error, r.ms, r.bytes::float8 as bytes,
  r.credential_kind as "credentialKind", r.credential_id as "credentialId", r.user_id as "userId", u.reference_id as "referenceId", r.agent`;

type Condition = readonly [text: (parameter: string) => string, value: unknown];

/** Each filter adds a condition only if it is set, so that the partial indexes can be used. */
function conditionsOf(filter: RequestFilter): Condition[] {
  const all: (readonly [...Condition, unknown?] | false | null | undefined)[] = [
    filter.before != null && [(p) => `r.seq < ${p}`, filter.before],
    filter.after != null && [(p) => `r.seq > ${p}`, filter.after],
    filter.id != null && [(p) => `r.id = ${p}`, filter.id],
    filter.outcome === 'failed' && [(p) => `r.status >= 400 and ${p}`, true],
    filter.isSuccess === true && [(p) => `r.status < ${p}`, 300],
    filter.outcome === 'slow' && [(p) => `r.ms >= ${p}`, SLOW_MS],
    filter.statusClass != null && [(p) => `${STATUSES[filter.statusClass ?? '2xx']} and ${p}`, true],
    filter.text != null && [
      (p) => `position(lower(${p}) in lower(concat_ws(' ', r.path, r.error, r.agent))) > 0`,
      filter.text,
    ],
    filter.method != null && [(p) => `r.method = ${p}`, filter.method],
    filter.route != null && [(p) => `r.route = ${p}`, filter.route],
    filter.userId != null && [(p) => `r.user_id = ${p}`, filter.userId],
    filter.keyId != null && [(p) => `r.credential_id = ${p}`, filter.keyId],
    filter.error != null && [(p) => `r.error = ${p}`, filter.error],
  ];
  return all.filter((condition): condition is Condition => Array.isArray(condition));
}

export function listRequests(
  db: Queryable,
  { accountId, environment }: Tenant,
  filter: RequestFilter,
): Promise<RequestEntry[]> {
  const conditions = conditionsOf(filter);
  const where = conditions.map(([text], index) => `and ${text(`$${index + 4}`)}`).join(' ');
  const order = filter.after == null ? 'desc' : 'asc';
  return db.query<RequestEntry>(
    `select ${COLUMNS} from request_log r left join kept_users u on u.id = r.user_id
      where r.account_id = $1 and r.environment = $2 ${where} order by r.seq ${order} limit $3`,
    [accountId, environment, filter.limit, ...conditions.map(([, value]) => value)],
  );
}

/** The position of the newest entry; 0: there is none. */
export async function readLastRequest(db: Queryable, { accountId, environment }: Tenant): Promise<number> {
  const [row] = await db.query<{ seq: number }>(
    'select seq::float8 as seq from request_log where account_id = $1 and environment = $2 order by request_log.seq desc limit 1',
    [accountId, environment],
  );
  return row?.seq ?? 0;
}

const LATENCY_SAMPLE = 500;
/** The limit is no parameter: PostgreSQL would plan the statement again for every call. */
const READ_LATENCY = statement(
  'read_latency',
  `select percentile_disc(array[0.5, 0.95]) within group (order by ms) as found
     from (select ms from request_log where account_id = $1 and environment = $2 order by seq desc limit ${LATENCY_SAMPLE}) latest`,
);

/** Of the latest calls; null: there were none. */
export async function readLatency(
  db: Queryable,
  { accountId, environment }: Tenant,
): Promise<{ readonly p50: number; readonly p95: number } | null> {
  const [row] = await db.query<{ found: number[] | null }>(READ_LATENCY, [accountId, environment]);
  const [p50, p95] = row?.found ?? [];
  return p50 === undefined || p95 === undefined ? null : { p50, p95 };
}

export async function removeRequests(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query('delete from request_log where user_id = $1', [user.userId]);
}

export async function listRequestFeeds(db: Queryable): Promise<Tenant[]> {
  return db.query<Tenant>(
    'select id as "accountId", environment from account_summaries, unnest($1::text[]) environment',
    [['live', 'sandbox']],
  );
}

/** Removes at most `limit` of the oldest entries that are older than `before` or beyond the newest `kept`. Returns their number. */
export async function removeOldRequests(
  db: Queryable,
  { accountId, environment }: Tenant,
  { before, kept, limit }: { readonly before: Date; readonly kept: number; readonly limit: number },
): Promise<number> {
  const rows = await db.query(
    `delete from request_log where account_id = $1 and environment = $2 and seq in (
       select seq from request_log where account_id = $1 and environment = $2 order by seq limit $4)
       and (at < $3 or seq <= (select seq from request_log where account_id = $1 and environment = $2 order by seq desc offset $5 limit 1))
     returning 1 as removed`,
    [accountId, environment, before, limit, kept],
  );
  return rows.length;
}
