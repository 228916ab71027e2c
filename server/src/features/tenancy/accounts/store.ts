// All SQL of accounts and account_environments.
import {
  type AccountId,
  type BillingStatus,
  type Environment,
  type Form,
  isUuid,
  type Tenant,
} from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';

export type Account = {
  readonly id: AccountId;
  readonly name: string;
  readonly billing: BillingStatus;
  readonly defaultForm: Form;
  readonly createdAt: Date;
  /** Displayed on hosted pages. */
  readonly logoUrl: string | null;
  /** App schemes without the colon that users may be redirected to, in addition to https. */
  readonly redirectSchemes: readonly string[];
  /** Routes and laps of workouts are stored. */
  readonly keepsRoutes: boolean;
  /** Since then its credentials are rejected, and nothing is synced or delivered. Null: open. */
  readonly closedAt: Date | null;
};
type AccountStatus = 'active' | 'closed' | 'deleting';
export type ListedAccount = Account & { readonly status: AccountStatus; readonly usage: readonly EnvironmentUsage[] };
export type EnvironmentUsage = {
  readonly environment: Environment;
  readonly userCount: number;
  readonly userLimit: number | null;
};

export type AccountRow = {
  account_id: AccountId;
  name: string;
  billing_status: BillingStatus;
  default_form: Form;
  account_created_at: Date;
  logo_url: string | null;
  redirect_schemes: string[];
  keep_routes: boolean;
  closed_at: Date | null;
};
export const ACCOUNT_COLUMNS =
  'a.id as account_id, a.name, a.billing_status, a.default_form, a.created_at as account_created_at, a.logo_url, a.redirect_schemes, a.keep_routes, a.closed_at';
const READ_ACCOUNT = statement('read_account', `select ${ACCOUNT_COLUMNS} from accounts a where a.id = $1`);
const COUNT_USER_IN = statement(
  'count_user_in',
  `update account_environments set user_count = user_count + 1
    where account_id = $1 and environment = $2 and (user_limit is null or user_count < user_limit) returning user_count`,
);
const COUNT_USER_OUT = statement(
  'count_user_out',
  'update account_environments set user_count = user_count - 1 where account_id = $1 and environment = $2',
);
const READ_USAGE = statement(
  'read_usage',
  'select environment, user_count, user_limit from account_environments where account_id = $1 and environment = $2',
);

export async function insertAccount(
  tx: Transaction,
  account: { id: AccountId; name: string; defaultForm: Form; now: Date },
): Promise<void> {
  await tx.query('insert into accounts (id, name, default_form, created_at) values ($1, $2, $3, $4)', [
    account.id,
    account.name,
    account.defaultForm,
    account.now,
  ]);
  await tx.query(`insert into account_environments (account_id, environment) values ($1, 'live'), ($1, 'sandbox')`, [
    account.id,
  ]);
}

export async function readAccount(db: Queryable, id: AccountId): Promise<Account | null> {
  const [row] = await db.query<AccountRow>(READ_ACCOUNT, [id]);
  return row ? toAccount(row) : null;
}

/**
 * By its name or its id: new names are not UUIDs. Not if it is being deleted, because its name may be that of another account.
 */
export async function readAccountByName(db: Queryable, name: string): Promise<Account | null> {
  const [row] = await db.query<AccountRow>(
    `select ${ACCOUNT_COLUMNS} from accounts a where a.deleting_at is null and ${isUuid(name) ? 'a.id' : 'a.name'} = $1`,
    [name],
  );
  return row ? toAccount(row) : null;
}

export async function listAccounts(db: Queryable): Promise<ListedAccount[]> {
  const rows = await db.query<
    AccountRow & {
      is_deleting: boolean;
      environment: Environment;
      user_count: number;
      user_limit: number | null;
    }
  >(
    `select ${ACCOUNT_COLUMNS}, a.deleting_at is not null as is_deleting, e.environment, e.user_count, e.user_limit
       from accounts a join account_environments e on e.account_id = a.id order by a.name, a.created_at, e.environment`,
  );
  return [...Map.groupBy(rows, (row) => row.account_id).values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...toAccount(first), status: toStatus(first), usage: group.map(toUsage) }] : [];
  });
}

export async function updateAccount(
  tx: Transaction,
  id: AccountId,
  change: { readonly billing?: BillingStatus | undefined; readonly defaultForm?: Form | undefined },
): Promise<void> {
  await tx.query(
    'update accounts set billing_status = coalesce($2, billing_status), default_form = coalesce($3, default_form) where id = $1',
    [id, change.billing ?? null, change.defaultForm ?? null],
  );
}

export async function renameAccount(tx: Transaction, id: AccountId, name: string): Promise<void> {
  await tx.query('update accounts set name = $2 where id = $1', [id, name]);
}

/** False if it was closed before. */
export async function setClosed(tx: Transaction, id: AccountId, at: Date): Promise<boolean> {
  const text = 'update accounts set closed_at = $2 where id = $1 and closed_at is null returning id';
  return (await tx.query(text, [id, at])).length === 1;
}

/** False if it was open, or is being deleted. */
export async function setOpen(tx: Transaction, id: AccountId): Promise<boolean> {
  const rows = await tx.query(
    'update accounts set closed_at = null where id = $1 and closed_at is not null and deleting_at is null returning id',
    [id],
  );
  return rows.length === 1;
}

/** False if it was deleted before. */
export async function setDeleting(tx: Transaction, id: AccountId, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `update accounts set deleting_at = $2, closed_at = coalesce(closed_at, $2)
      where id = $1 and deleting_at is null returning id`,
    [id, at],
  );
  return rows.length === 1;
}

/** Locked until the transaction ends, so that only one job removes the account. */
export async function lockDeletedAccount(tx: Transaction, id: AccountId): Promise<boolean> {
  const text = 'select 1 from accounts where id = $1 and deleting_at is not null for update';
  return (await tx.query(text, [id])).length === 1;
}

export async function isDeleted(db: Queryable, id: AccountId): Promise<boolean> {
  return (await db.query('select 1 from accounts where id = $1 and deleting_at is not null', [id])).length === 1;
}

/** The last step of a deletion: everything else of the account is gone. */
export async function removeAccountRow(tx: Transaction, id: AccountId): Promise<void> {
  await tx.query('delete from account_environments where account_id = $1', [id]);
  await tx.query('delete from accounts where id = $1', [id]);
}

export async function setLogo(tx: Transaction, id: AccountId, logoUrl: string | null): Promise<void> {
  await tx.query('update accounts set logo_url = $2 where id = $1', [id, logoUrl]);
}

/** The caller holds the lock of the account's row. */
export async function setRedirectSchemes(tx: Transaction, id: AccountId, schemes: readonly string[]): Promise<void> {
  await tx.query('update accounts set redirect_schemes = $2 where id = $1', [id, schemes]);
}

export async function setKeepsRoutes(tx: Transaction, id: AccountId, keepsRoutes: boolean): Promise<void> {
  await tx.query('update accounts set keep_routes = $2 where id = $1', [id, keepsRoutes]);
}

const KEEPS_ROUTES = statement('keeps_routes', 'select keep_routes from accounts where id = $1');

export async function keepsRoutes(db: Queryable, { accountId }: Pick<Tenant, 'accountId'>): Promise<boolean> {
  const [row] = await db.query<{ keep_routes: boolean }>(KEEPS_ROUTES, [accountId]);
  return row?.keep_routes === true;
}

export async function setUserLimit(tx: Transaction, tenant: Tenant, limit: number | null): Promise<void> {
  await tx.query('update account_environments set user_limit = $3 where account_id = $1 and environment = $2', [
    tenant.accountId,
    tenant.environment,
    limit,
  ]);
}

/** Increments the user count; false if the limit is reached. The row lock makes the limit exact under concurrent creates. */
export async function countUserIn(tx: Transaction, tenant: Tenant): Promise<boolean> {
  const rows = await tx.query(COUNT_USER_IN, [tenant.accountId, tenant.environment]);
  return rows.length === 1;
}

export async function countUserOut(tx: Transaction, tenant: Tenant): Promise<void> {
  await tx.query(COUNT_USER_OUT, [tenant.accountId, tenant.environment]);
}

export async function readEnvironmentUsage(db: Queryable, tenant: Tenant): Promise<EnvironmentUsage> {
  const [row] = await db.query<{ environment: Environment; user_count: number; user_limit: number | null }>(
    READ_USAGE,
    [tenant.accountId, tenant.environment],
  );
  if (!row) throw new Error('environment of the account not found');
  return toUsage(row);
}

/** Serializes changes of an account's keys, which would otherwise fail on the unique index. */
export async function lockAccount(tx: Transaction, id: AccountId): Promise<void> {
  await tx.query('select 1 from accounts where id = $1 for update', [id]);
}

/** As rows that refer to the account do, but before other locks. */
export async function holdAccount(tx: Transaction, id: AccountId): Promise<void> {
  await tx.query('select 1 from accounts where id = $1 for key share', [id]);
}

export function toAccount(row: AccountRow): Account {
  return {
    id: row.account_id,
    name: row.name,
    billing: row.billing_status,
    defaultForm: row.default_form,
    createdAt: row.account_created_at,
    logoUrl: row.logo_url,
    redirectSchemes: row.redirect_schemes,
    keepsRoutes: row.keep_routes,
    closedAt: row.closed_at,
  };
}

function toStatus(row: { closed_at: Date | null; is_deleting: boolean }): AccountStatus {
  if (row.is_deleting) return 'deleting';
  return row.closed_at === null ? 'active' : 'closed';
}

function toUsage(row: { environment: Environment; user_count: number; user_limit: number | null }): EnvironmentUsage {
  return { environment: row.environment, userCount: row.user_count, userLimit: row.user_limit };
}

export async function hasOtherAccounts(db: Queryable, id: AccountId): Promise<boolean> {
  return (await db.query('select 1 from accounts where id <> $1 and closed_at is null limit 1', [id])).length > 0;
}

export async function hasAnyAccount(db: Queryable): Promise<boolean> {
  return (await db.query('select 1 from accounts limit 1')).length > 0;
}

const FIRST_START_LOCK = 0x7269_7666; // next to the advisory lock of the migrations

export async function lockFirstStart(tx: Transaction): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [FIRST_START_LOCK]);
}
