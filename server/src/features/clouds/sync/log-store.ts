// SQL of sync_log.
import type { DeviceId, UserId } from '../../../domain/tenancy.ts';
import type { DateRange, LocalDate } from '../../../domain/time/calendar.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { concludeRun, type RunReport, type SyncKind, type SyncOutcome } from './run-report.ts';
import type { DeviceKey } from './sync-task.ts';

export type SyncLogEntry = {
  readonly id: string;
  readonly deviceId: DeviceId;
  readonly at: Date;
  readonly kind: SyncKind;
  readonly outcome: SyncOutcome;
  readonly cause: string | null;
  readonly httpStatus: number | null;
  readonly retryAt: Date | null;
  readonly records: number;
  readonly refused: number;
  readonly metrics: readonly string[];
  readonly days: DateRange | null;
  readonly durationMs: number;
  /** Runs in a row that found nothing new share an entry. */
  readonly runs: number;
};

/** Entries per device; a poll every five minutes for 30 days would be 8,640. */
const MAX_ENTRIES = 500;

const INSERT_ENTRY = statement(
  'insert_sync_log',
  `insert into sync_log (user_id, id, device_id, at, kind, outcome, cause, http_status, retry_at, records, refused, metrics, from_date, to_date,
     duration_ms, runs)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
);
/** The newest entry, if it is one of a run of the same kind that found nothing new. */
const TAKE_UNCHANGED = statement(
  'take_unchanged_sync_log',
  `delete from sync_log where user_id = $1 and id = (select id from sync_log where user_id = $1 and device_id = $2 order by id desc limit 1)
     and outcome = 'unchanged' and kind = $3 returning runs`,
);
const REMOVE_OLDEST = statement(
  'remove_oldest_sync_log',
  `delete from sync_log where user_id = $1 and id in
     (select id from sync_log where user_id = $1 and device_id = $2 order by id desc offset $3)`,
);

/** The caller holds the lock of the device, so that no entry outlives it. */
export async function logRun(
  tx: Transaction,
  { userId, deviceId }: DeviceKey,
  report: RunReport,
  { at, durationMs }: { readonly at: Date; readonly durationMs: number },
): Promise<void> {
  const run = concludeRun(report);
  if (run === null) return;
  const [last] =
    run.outcome === 'unchanged' ? await tx.query<{ runs: number }>(TAKE_UNCHANGED, [userId, deviceId, run.kind]) : [];
  await tx.query(INSERT_ENTRY, [
    userId,
    newId(),
    deviceId,
    at,
    run.kind,
    run.outcome,
    run.cause,
    run.httpStatus,
    run.retryAt,
    report.records,
    report.refused,
    [...report.metrics],
    report.days?.from ?? null,
    report.days?.to ?? null,
    Math.round(durationMs),
    (last?.runs ?? 0) + 1,
  ]);
  if (last === undefined) await tx.query(REMOVE_OLDEST, [userId, deviceId, MAX_ENTRIES]);
}

const COLUMNS = `id, device_id, at, kind, outcome, cause, http_status, retry_at, records, refused, metrics, from_date::text, to_date::text,
  duration_ms, runs`;
const LIST_OF_DEVICE = statement(
  'list_sync_log_of_device',
  `select ${COLUMNS} from sync_log where user_id = $1 and device_id = $2 and ($3::uuid is null or id < $3) order by id desc limit $4`,
);
const LIST_OF_USER = statement(
  'list_sync_log_of_user',
  `select ${COLUMNS} from sync_log where user_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
);
/** The newest entries of every device. */
const LIST_NEWEST = statement(
  'list_newest_sync_log',
  `select l.* from (select distinct device_id from sync_log where user_id = $1) d cross join lateral (
     select ${COLUMNS} from sync_log where user_id = $1 and device_id = d.device_id order by id desc limit $2) l
    order by l.id desc`,
);

type Page = { readonly before: string | null; readonly limit: number };

/** Newest first. */
export async function listSyncLogOfDevice(
  db: Queryable,
  { userId }: UserHandle,
  deviceId: DeviceId,
  { before, limit }: Page,
): Promise<SyncLogEntry[]> {
  return (await db.query<Row>(LIST_OF_DEVICE, [userId, deviceId, before, limit])).map(toEntry);
}

export async function listSyncLog(
  db: Queryable,
  { userId }: UserHandle,
  { before, limit }: Page,
): Promise<SyncLogEntry[]> {
  return (await db.query<Row>(LIST_OF_USER, [userId, before, limit])).map(toEntry);
}

export async function listNewestSyncLog(
  db: Queryable,
  { userId }: UserHandle,
  perDevice: number,
): Promise<SyncLogEntry[]> {
  return (await db.query<Row>(LIST_NEWEST, [userId, perDevice])).map(toEntry);
}

/** Removes at most `limit` entries and returns their number. */
export async function removeSyncLogBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from sync_log where (user_id, id) in (select user_id, id from sync_log where at < $1 order by at limit $2)
     returning 1 as removed`,
    [before, limit],
  );
  return rows.length;
}

type Row = {
  id: string;
  user_id: UserId;
  device_id: DeviceId;
  at: Date;
  kind: SyncKind;
  outcome: SyncOutcome;
  cause: string | null;
  http_status: number | null;
  retry_at: Date | null;
  records: number;
  refused: number;
  metrics: string[];
  from_date: LocalDate | null;
  to_date: LocalDate | null;
  duration_ms: number;
  runs: number;
};

function toEntry(row: Row): SyncLogEntry {
  return {
    id: row.id,
    deviceId: row.device_id,
    at: row.at,
    kind: row.kind,
    outcome: row.outcome,
    cause: row.cause,
    httpStatus: row.http_status,
    retryAt: row.retry_at,
    records: row.records,
    refused: row.refused,
    metrics: row.metrics,
    days: row.from_date === null || row.to_date === null ? null : { from: row.from_date, to: row.to_date },
    durationMs: row.duration_ms,
    runs: row.runs,
  };
}
