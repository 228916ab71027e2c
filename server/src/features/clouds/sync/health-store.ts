// Reads how synchronization works, for the dashboard and the operator: runs by outcome, and devices that wait after a failure.
import type { Tenant } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';
import type { SyncKind, SyncOutcome } from './run-report.ts';

export type SyncCount = {
  readonly provider: string;
  readonly kind: SyncKind;
  readonly outcome: SyncOutcome;
  readonly runs: number;
  readonly lastAt: Date;
};
export type WaitingProvider = {
  readonly provider: string;
  readonly devices: number;
  readonly until: Date;
  /** Failed requests in a row, at most. */
  readonly failures: number;
};

const COUNT_RUNS = statement(
  'count_sync_runs',
  `select s.provider, l.kind, l.outcome, sum(l.runs)::int as runs, max(l.at) as "lastAt"
     from sync_log l join synced_devices s on s.user_id = l.user_id and s.device_id = l.device_id
    where l.at >= $3 and s.account_id = $1 and s.environment = $2 group by 1, 2, 3 order by 1, 2, 3`,
);
/** Devices that only the user can connect again wait forever and are not counted. */
const LIST_WAITING = statement(
  'list_waiting_providers',
  `select provider, count(*)::int as devices, min(backoff_until) as until, max(failures) as failures from synced_devices
    where account_id = $1 and environment = $2 and backoff_until > $3 and backoff_until < 'infinity' group by provider order by provider`,
);

export type SyncHealth = {
  readonly provider: string;
  readonly appId: string;
  readonly devices: number;
  /** Devices that wait after a failure. */
  readonly failing: number;
};

/** Live devices of all accounts by application. Reads all rows, so only for the operator's command. */
export function listSyncHealth(db: Queryable, now: Date): Promise<SyncHealth[]> {
  return db.query<SyncHealth>(
    `select provider, app_id as "appId", count(*)::int as devices,
            count(*) filter (where failures > 0 and backoff_until > $1 and backoff_until < 'infinity')::int as failing
       from synced_devices where environment = 'live' group by 1, 2`,
    [now],
  );
}

export function countSyncRuns(db: Queryable, { accountId, environment }: Tenant, since: Date): Promise<SyncCount[]> {
  return db.query<SyncCount>(COUNT_RUNS, [accountId, environment, since]);
}

/** Devices that must not be requested before a time, because the provider limits requests or fails. */
export function listWaitingProviders(
  db: Queryable,
  { accountId, environment }: Tenant,
  now: Date,
): Promise<WaitingProvider[]> {
  return db.query<WaitingProvider>(LIST_WAITING, [accountId, environment, now]);
}

export async function hasSyncedDevice(db: Queryable, { accountId, environment }: Tenant): Promise<boolean> {
  const rows = await db.query('select 1 from synced_devices where account_id = $1 and environment = $2 limit 1', [
    accountId,
    environment,
  ]);
  return rows.length > 0;
}
