// SQL of users and user_zones. Users are read by account and environment; changes require a UserHandle.

import {
  type ConsolidationSettings,
  isSameSettings,
  NO_SETTINGS,
} from '../../../domain/consolidate/consolidation-rules.ts';
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { batchedRead } from '../../../platform/db/batched-read.ts';
import { type Queryable, type Statement, statement, type Transaction } from '../../../platform/db/database.ts';
import { sharedWrite } from '../../../platform/db/shared-transaction.ts';
import type { UserHandle } from './user-handle.ts';

export const SEXES = ['female', 'male', 'other'] as const;
export type Profile = {
  readonly birth_date?: LocalDate;
  readonly sex?: (typeof SEXES)[number];
  readonly height_cm?: number;
  readonly weight_kg?: number;
  readonly max_heart_rate?: number;
  readonly sleep_need_minutes?: number;
  readonly energy_goal_ratio?: number;
};
type ScoreStatus = 'calibrating' | 'ready' | 'stale';

export type User = {
  readonly id: UserId;
  readonly referenceId: string;
  readonly timezone: string | null;
  readonly status: 'active';
  /** As of the last scoring run when read from the database; see `withScoreStatus`. */
  readonly scoreStatus: ScoreStatus;
  /** Null: not calibrating, or no score yet. */
  readonly calibratingUntil: Date | null;
  readonly profile: Profile;
  readonly metadata: Readonly<Record<string, string>>;
  readonly lastSyncAt: Date | null;
  readonly lastScoreAt: Date | null;
  readonly createdAt: Date;
};

export type UserRow = {
  id: UserId;
  reference_id: string;
  timezone: string | null;
  score_status: ScoreStatus;
  calibrating_until: Date | null;
  profile: Profile;
  metadata: Record<string, string>;
  last_sync_at: Date | null;
  last_score_at: Date | null;
  created_at: Date;
};

export const CURRENT_ZONE =
  '(select z.zone from user_zones z where z.user_id = u.id order by z.valid_from desc limit 1) as timezone';

/** For queries `from users u`. */
export const USER_COLUMNS = `u.id, u.reference_id, u.score_status, u.calibrating_until, u.profile, u.metadata, u.last_sync_at, u.last_score_at, u.created_at,
  ${CURRENT_ZONE}`;
export const ACTIVE_USER = `u.account_id = $1 and u.environment = $2 and u.status = 'active'`;
/**
 * The `from` clause of reads by id (`$3`: an array of ids), used with ACTIVE_USER. `offset 0` makes PostgreSQL find rows by
 * primary key and then check the tenant; otherwise, on a table without statistics, it scans an index of all the account's users.
 */
export const USERS_BY_ID = '(select * from users where id = any($3::uuid[]) offset 0) u';

export type HandleRow = {
  id: UserId;
  timezone: string | null;
  data_revision: string;
  longest_sample_seconds: number;
  consolidation: ConsolidationSettings | null;
  unshared_at: Date | null;
};

export const HANDLE_COLUMNS = 'u.data_revision, u.longest_sample_seconds, u.consolidation, u.unshared_at';
const OPEN_USERS = statement(
  'open_users',
  `select u.id, ${HANDLE_COLUMNS}, ${CURRENT_ZONE} from ${USERS_BY_ID} where ${ACTIVE_USER}`,
);
const OPEN_USER_RECORD = statement(
  'open_user_record',
  `select ${USER_COLUMNS}, ${HANDLE_COLUMNS} from users u where ${ACTIVE_USER} and u.id = $3`,
);
const FIND_REFERENCE = statement(
  'find_reference',
  `select u.id from users u where ${ACTIVE_USER} and u.reference_id = $3`,
);
const FIND_HOLDER = statement(
  'find_reference_holder',
  `select u.id, u.status from users u where u.account_id = $1 and u.environment = $2 and u.reference_id = $3
    order by u.status = 'deleting' limit 1`,
);
export const OWN_USER = `select ${USER_COLUMNS}, ${HANDLE_COLUMNS}, u.status from users u
  where u.account_id = $1 and u.environment = $2 and u.id = $3 and u.status in ('active', 'unshared')`;
const OPEN_OWN_USER = statement('open_portal_user', OWN_USER);
const LIST_USERS = statement(
  'list_users',
  `select ${USER_COLUMNS} from users u
    where ${ACTIVE_USER} and ($3::text is null or u.reference_id = $3)
      and ($4::timestamptz is null or (u.created_at, u.id) < ($4, $5::uuid))
    order by u.created_at desc, u.id desc limit $6 offset $7`,
);
const INSERT_USER = statement(
  'insert_user',
  `insert into users (id, account_id, environment, reference_id, score_status, profile, metadata, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const INSERT_ZONE = statement('insert_user_zone', 'insert into user_zones (user_id, zone) values ($1, $2)');

/** Null if the user does not exist, is deleted, or belongs to another account or environment, without distinction. */
export async function openUser(db: Queryable, tenant: Tenant, userId: UserId): Promise<UserHandle | null> {
  const row = await readOpenUser(db, [tenant.accountId, tenant.environment], userId);
  return row ? toHandle(tenant, row) : null;
}
const readOpenUser = batchedRead<HandleRow>(OPEN_USERS, (row) => row.id);

type UserSelect = { readonly name: string; readonly columns: string };

/** Reads a user's record together with columns of the caller, over `u` (the user's row), in one batched statement. */
export function readUserWith<Found extends Record<string, unknown>>(select: UserSelect) {
  const read = batchedRead<UserRow & Found>(
    statement(select.name, `select ${USER_COLUMNS}, ${select.columns} from ${USERS_BY_ID} where ${ACTIVE_USER}`),
    (row) => row.id,
  );
  return async (db: Queryable, tenant: Tenant, id: UserId): Promise<{ user: User; found: Found } | null> => {
    const row = await read(db, [tenant.accountId, tenant.environment], id);
    return row ? { user: toUser(row), found: row } : null;
  };
}

/** Opens the user like `openUser`, and returns the stored record too. */
export async function openUserRecord(
  db: Queryable,
  tenant: Tenant,
  userId: UserId,
): Promise<{ handle: UserHandle; user: User } | null> {
  const [row] = await db.query<UserRow & HandleRow>(OPEN_USER_RECORD, [tenant.accountId, tenant.environment, userId]);
  return row ? { handle: toHandle(tenant, row), user: toUser(row) } : null;
}

export type OwnUser = {
  readonly handle: UserHandle;
  readonly user: User;
  readonly status: 'active' | 'unshared';
};

/** Opens a user for the person it belongs to, also if it is no longer shared. The caller has verified the person. */
export function openOwnUser(db: Queryable, tenant: Tenant, userId: UserId): Promise<OwnUser | null> {
  return findOwnUser(db, OPEN_OWN_USER, tenant, userId);
}

export async function findOwnUser(
  db: Queryable,
  by: Statement,
  tenant: Tenant,
  userId: UserId,
): Promise<OwnUser | null> {
  const [row] = await db.query<UserRow & HandleRow & Pick<OwnUser, 'status'>>(by, [
    tenant.accountId,
    tenant.environment,
    userId,
  ]);
  return row ? { handle: toHandle(tenant, row), user: toUser(row), status: row.status } : null;
}

/** Opens a user without a tenant. Only for operator endpoints. */
export async function openUserForOperator(db: Queryable, userId: UserId): Promise<UserHandle | null> {
  const [row] = await db.query<{ account_id: Tenant['accountId']; environment: Tenant['environment'] }>(
    `select u.account_id, u.environment from users u where u.id = $1 and u.status = 'active'`,
    [userId],
  );
  return row ? openUser(db, { accountId: row.account_id, environment: row.environment }, userId) : null;
}

/** The only function that creates a UserHandle. Every row was read with its tenant, or is being erased. */
export function toHandle(tenant: Tenant, row: HandleRow): UserHandle {
  return {
    userId: row.id,
    tenant,
    timezone: row.timezone,
    dataRevision: Number(row.data_revision),
    longestSampleMs: row.longest_sample_seconds * 1_000,
    consolidation: row.consolidation ?? NO_SETTINGS,
    unsharedAt: row.unshared_at,
  } as UserHandle;
}

const READ_PROFILE = statement('read_profile', 'select profile from users where id = $1');

export async function readProfile(db: Queryable, handle: UserHandle): Promise<Profile> {
  const [row] = await db.query<{ profile: Profile }>(READ_PROFILE, [handle.userId]);
  return row?.profile ?? {};
}

export async function findUserByReference(db: Queryable, tenant: Tenant, referenceId: string): Promise<UserId | null> {
  const [row] = await db.query<{ id: UserId }>(FIND_REFERENCE, [tenant.accountId, tenant.environment, referenceId]);
  return row?.id ?? null;
}

type ReferenceHolder = { readonly userId: UserId; readonly status: 'active' | 'unshared' | 'deleting' };

/** Includes unshared users. A user that is being erased is only returned if no other user has the reference. */
export async function findReferenceHolder(
  db: Queryable,
  tenant: Tenant,
  referenceId: string,
): Promise<ReferenceHolder | null> {
  const [row] = await db.query<{ id: UserId; status: ReferenceHolder['status'] }>(FIND_HOLDER, [
    tenant.accountId,
    tenant.environment,
    referenceId,
  ]);
  return row ? { userId: row.id, status: row.status } : null;
}

export async function listUsers(
  db: Queryable,
  tenant: Tenant,
  page: { referenceId: string | null; after: { createdAt: Date; id: UserId } | null; limit: number; offset: number },
): Promise<User[]> {
  const rows = await db.query<UserRow>(LIST_USERS, [
    tenant.accountId,
    tenant.environment,
    page.referenceId,
    page.after?.createdAt ?? null,
    page.after?.id ?? null,
    page.limit,
    page.offset,
  ]);
  return rows.map(toUser);
}

export async function insertUser(tx: Transaction, tenant: Tenant, user: User): Promise<void> {
  await tx.query(INSERT_USER, [
    user.id,
    tenant.accountId,
    tenant.environment,
    user.referenceId,
    user.scoreStatus,
    JSON.stringify(user.profile),
    JSON.stringify(user.metadata),
    user.createdAt,
  ]);
  await tx.query(INSERT_ZONE, [user.id, user.timezone]);
}

export async function updateUser(
  tx: Transaction,
  handle: UserHandle,
  user: Pick<User, 'referenceId' | 'profile' | 'metadata' | 'timezone'>,
): Promise<void> {
  await tx.query('update users set reference_id = $2, profile = $3, metadata = $4 where id = $1', [
    handle.userId,
    user.referenceId,
    JSON.stringify(user.profile),
    JSON.stringify(user.metadata),
  ]);
  await tx.query('update user_zones set zone = $2 where user_id = $1 and zone is distinct from $2', [
    handle.userId,
    user.timezone,
  ]);
}

const ADVANCE_REVISION = statement(
  'advance_revision',
  `update users u set data_revision = u.data_revision + 1,
     longest_sample_seconds = greatest(u.longest_sample_seconds, change.longest_sample_seconds),
     last_sync_at = greatest(u.last_sync_at, change.synced_at)
     from unnest($1::uuid[], $2::integer[], $3::timestamptz[]) as change (user_id, longest_sample_seconds, synced_at)
    where u.id = change.user_id`,
);
const RECORD_SYNC = statement(
  'record_sync',
  'update users set last_sync_at = greatest(last_sync_at, $2) where id = $1',
);

type Advance = { readonly longestSampleMs?: number; readonly syncedAt?: Date | null };

/** Marks the user's readable data as changed. `syncedAt`: as `recordSync`, in the same statement. */
export function advanceRevision(tx: Transaction, user: UserHandle, advance: Advance = {}): Promise<void> {
  return advanceShared(tx, { user, ...advance });
}

const advanceShared = sharedWrite<Advance & { readonly user: UserHandle }>((db, advances) =>
  db.query(ADVANCE_REVISION, [
    advances.map(({ user }) => user.userId),
    advances.map(({ longestSampleMs = 0 }) => Math.ceil(longestSampleMs / 1_000)),
    advances.map(({ syncedAt = null }) => syncedAt),
  ]),
);

export async function recordSync(tx: Transaction, user: UserHandle, at: Date): Promise<void> {
  await tx.query(RECORD_SYNC, [user.userId, at]);
}

const RECORD_SCORING = statement(
  'record_scoring',
  `update users set last_score_at = $2, score_status = $3, calibrating_until = $4 where id = $1`,
);

/** `at`: null without a score. */
export async function recordScoring(
  tx: Transaction,
  user: UserHandle,
  { at, calibratingUntil }: { at: Date | null; calibratingUntil: Date | null },
): Promise<void> {
  const status: ScoreStatus = at === null || calibratingUntil !== null ? 'calibrating' : 'ready';
  await tx.query(RECORD_SCORING, [user.userId, at, status, calibratingUntil]);
}

/** Default settings are stored as null. */
export async function saveConsolidation(
  tx: Transaction,
  user: UserHandle,
  settings: ConsolidationSettings,
): Promise<void> {
  const stored = isSameSettings(settings, NO_SETTINGS) ? null : JSON.stringify(settings);
  await tx.query('update users set consolidation = $2 where id = $1', [user.userId, stored]);
}

/** Waits for transactions that hold the user, because the credentials that they issue are removed next. */
export const UNHELD_USER = '(select id from users where id = $1 for update)';

/** Hides the user from the account: every read requires ACTIVE_USER, every credential check the view active_users. */
export async function unshareUser(tx: Transaction, handle: UserHandle, at: Date): Promise<void> {
  await tx.query(`update users set status = 'unshared', unshared_at = $2 where id = ${UNHELD_USER}`, [
    handle.userId,
    at,
  ]);
}

/** Advances the revision, so that clients do not reuse cached responses from before. */
export async function shareUserAgain(tx: Transaction, handle: UserHandle): Promise<void> {
  await tx.query(`update users set status = 'active', data_revision = data_revision + 1 where id = $1`, [
    handle.userId,
  ]);
}

export async function listUnsharedBefore(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<{ userId: UserId; tenant: Tenant }[]> {
  const rows = await db.query<{ id: UserId; account_id: Tenant['accountId']; environment: Tenant['environment'] }>(
    `select id, account_id, environment from users where status = 'unshared' and unshared_at < $1 order by unshared_at limit $2`,
    [before, limit],
  );
  return rows.map((row) => ({
    userId: row.id,
    tenant: { accountId: row.account_id, environment: row.environment },
  }));
}

/** Hides the user from everything except the erasure job. */
export async function markUserDeleting(tx: Transaction, handle: UserHandle): Promise<void> {
  await tx.query(`update users set status = 'deleting' where id = ${UNHELD_USER}`, [handle.userId]);
}

export async function removeUser(tx: Transaction, handle: UserHandle): Promise<void> {
  await tx.query('delete from data_locks where user_id = $1', [handle.userId]); // without Citus too: a backup of a cluster has rows
  await tx.query('delete from user_zones where user_id = $1', [handle.userId]);
  await tx.query('delete from users where id = $1', [handle.userId]);
}

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    referenceId: row.reference_id,
    timezone: row.timezone,
    status: 'active',
    scoreStatus: row.score_status,
    calibratingUntil: row.calibrating_until,
    profile: row.profile,
    metadata: row.metadata,
    lastSyncAt: row.last_sync_at,
    lastScoreAt: row.last_score_at,
    createdAt: row.created_at,
  };
}
