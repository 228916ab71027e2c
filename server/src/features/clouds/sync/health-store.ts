// Sync runs of an account by provider and outcome, and devices that wait after a failure.
import type { Tenant } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';

export type SyncCount = {
  readonly provider: string;
  readonly kind: 'webhook' | 'poll' | 'backfill';
  readonly outcome: string;
  readonly runs: number;
  readonly lastAt: Date;
};
export type SyncBackoff = { readonly provider: string; readonly devices: number; readonly until: Date };

const COUNT_RUNS = statement(
  'count_sync_runs',
  `select s.provider, l.kind, l.outcome, sum(l.runs)::int as runs, max(l.at) as "lastAt"
     from sync_log l join synced_devices s on s.user_id = l.user_id and s.device_id = l.device_id
    where l.at >= $3 and s.account_id = $1 and s.environment = $2 group by 1, 2, 3 order by 1, 2, 3`,
);
/** Devices that only the user can connect again wait forever and are not counted. */
const LIST_BACKOFFS = statement(
  'list_sync_backoffs',
  `select provider, count(*)::int as devices, min(backoff_until) as until from synced_devices
    where account_id = $1 and environment = $2 and backoff_until > $3 and backoff_until < 'infinity' group by 1`,
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

export function listSyncBackoffs(db: Queryable, { accountId, environment }: Tenant, now: Date): Promise<SyncBackoff[]> {
  return db.query<SyncBackoff>(LIST_BACKOFFS, [accountId, environment, now]);
}
