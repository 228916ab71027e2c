// Which providers an account waits for, for the dashboard.
import type { Tenant } from '../../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../../platform/db/database.ts';

export type WaitingProvider = {
  readonly provider: string;
  readonly devices: number;
  readonly until: Date;
  /** Failed requests in a row, at most. */
  readonly failures: number;
};

const LIST_WAITING = statement(
  'list_waiting_providers',
  `select provider, count(*)::int as devices, min(backoff_until) as until, max(failures) as failures from synced_devices
    where account_id = $1 and environment = $2 and backoff_until > $3 and backoff_until < 'infinity' group by provider order by provider`,
);

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
