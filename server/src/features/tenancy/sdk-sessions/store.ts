// All SQL of sdk_sessions, sdk_session_requests and session_uploads.
import type { Scope } from '../../../domain/metrics/categories.ts';
import type { OnDeviceProvider } from '../../../domain/provider-ids.ts';
import type { AccountId, Environment, Form, UserId } from '../../../domain/tenancy.ts';
import { batchedRead } from '../../../platform/db/batched-read.ts';
import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { sharedRows } from '../../../platform/db/row-statement.ts';
import type { UserHandle } from '../user-core/index.ts';
import type { Platform, SdkSession } from './sdk-session.ts';

type SessionRow = {
  id: string;
  user_id: UserId;
  installation_id: string;
  platform: Platform | null;
  sources: OnDeviceProvider[];
  scopes: Scope[];
  status: SdkSession['status'];
  created_at: Date;
  activated_at: Date | null;
  client_token_version: number;
  client_expires_at: Date;
  client_consumed_at: Date | null;
  credential_version: number;
  credential_used_at: Date | null;
  access_expires_at: Date | null;
  refresh_expires_at: Date | null;
  previous_access_expires_at: Date | null;
  created_by_key: string | null;
};
type SessionOwner = {
  readonly session: SdkSession;
  readonly accountId: AccountId;
  readonly environment: Environment;
  readonly defaultForm: Form;
  /** Of the account. */
  readonly closedAt: Date | null;
};
type CreationRequest = {
  readonly bodyHash: Buffer;
  readonly sessionId: string;
  readonly clientVersion: number;
  readonly createdAt: Date;
};

/** Distinguishes this lock from others that hash an id. */
const SESSIONS_LOCK_SEED = 7_301;

const COLUMNS = `s.id, s.user_id, s.installation_id, s.platform, s.sources, s.scopes, s.status, s.created_at, s.activated_at,
  s.client_token_version, s.client_expires_at, s.client_consumed_at, s.credential_version, s.credential_used_at, s.access_expires_at,
  s.refresh_expires_at, s.previous_access_expires_at, s.created_by_key`;
/** Joins the active user, so that tokens of a deleted user are not found. */
const OWNED = `select ${COLUMNS}, u.account_id, u.environment, a.default_form, a.closed_at from sdk_sessions s
  join active_users u on u.id = s.user_id join account_access a on a.id = u.account_id`;
const READ_SESSIONS = statement('read_sdk_sessions', `${OWNED} where s.id = any($1::uuid[])`);
const LOCK_SESSION = statement('lock_sdk_session', `${OWNED} where s.id = $1 for update of s`);
const MARK_CREDENTIAL_USED = statement(
  'mark_sdk_credential_used',
  'update sdk_sessions set credential_used_at = $3 where id = $1 and credential_version = $2 and credential_used_at is null',
);
const SAVE_SESSION = statement(
  'save_sdk_session',
  `insert into sdk_sessions (id, user_id, installation_id, platform, sources, scopes, app_version, status, created_at, activated_at,
     client_token_version, client_expires_at, client_consumed_at, credential_version, credential_used_at, access_expires_at, refresh_expires_at, previous_access_expires_at,
     created_by_key)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
   on conflict (id) do update set platform = excluded.platform, sources = excluded.sources, scopes = excluded.scopes,
     app_version = coalesce(excluded.app_version, sdk_sessions.app_version), status = excluded.status, activated_at = excluded.activated_at,
     client_token_version = excluded.client_token_version, client_expires_at = excluded.client_expires_at, client_consumed_at = excluded.client_consumed_at,
     credential_version = excluded.credential_version, credential_used_at = excluded.credential_used_at, access_expires_at = excluded.access_expires_at,
     refresh_expires_at = excluded.refresh_expires_at, previous_access_expires_at = excluded.previous_access_expires_at,
     created_by_key = excluded.created_by_key`,
);

export async function readSdkSession(db: Queryable, id: string): Promise<SessionOwner | null> {
  const row = await readBatched(db, [], id);
  return toOwner(row === null ? [] : [row]);
}
const readBatched = batchedRead<SessionRow & OwnerColumns>(READ_SESSIONS, (row) => row.id);

/** Locks the session until the transaction ends, so that exchange, refresh and revocation run one at a time. */
export async function lockSession(tx: Transaction, id: string): Promise<SessionOwner | null> {
  return toOwner(await tx.query<SessionRow & OwnerColumns>(LOCK_SESSION, [id]));
}

const LOCK_SESSIONS = statement(
  'lock_sdk_sessions_of_user',
  `select pg_advisory_xact_lock(hashtextextended($1::text, ${SESSIONS_LOCK_SEED}))`,
);

/** Until the transaction ends, so that sessions of a user are created one at a time. Not the user's row, which a long change of data locks. */
export async function lockSessionsOf(tx: Transaction, { userId }: UserHandle): Promise<void> {
  await tx.query(LOCK_SESSIONS, [userId]);
}

export async function findSessionOfInstallation(
  tx: Transaction,
  user: UserHandle,
  installationId: string,
): Promise<SdkSession | null> {
  const [row] = await tx.query<SessionRow>(
    `select ${COLUMNS} from sdk_sessions s where user_id = $1 and installation_id = $2 and status <> 'revoked' for update`,
    [user.userId, installationId],
  );
  return row ? toSession(row) : null;
}

export async function listSdkSessions(db: Queryable, user: UserHandle): Promise<SdkSession[]> {
  const rows = await db.query<SessionRow>(
    `select ${COLUMNS} from sdk_sessions s where user_id = $1 and status <> 'revoked' order by created_at desc, id desc`,
    [user.userId],
  );
  return rows.map(toSession);
}

export async function saveSession(
  tx: Transaction,
  session: SdkSession,
  appVersion: string | null = null,
): Promise<void> {
  await tx.query(SAVE_SESSION, [
    session.id,
    session.userId,
    session.installationId,
    session.platform,
    session.sources,
    session.scopes,
    appVersion,
    session.status,
    session.createdAt,
    session.activatedAt,
    session.clientVersion,
    session.clientExpiresAt,
    session.clientConsumedAt,
    session.credentialVersion,
    session.credentialUsedAt,
    session.accessExpiresAt,
    session.refreshExpiresAt,
    session.previousAccessExpiresAt,
    session.createdByKey,
  ]);
}

export async function markCredentialUsed(db: Queryable, sessionId: string, version: number, at: Date): Promise<void> {
  await db.query(MARK_CREDENTIAL_USED, [sessionId, version, at]);
}

const recordUploads = sharedRows({
  name: 'record_session_uploads',
  columns: 3,
  text: (rows) =>
    `insert into session_uploads (user_id, session_id, uploaded_at) values ${rows}
     on conflict (user_id, session_id) do update set uploaded_at = excluded.uploaded_at`,
});

export function recordUploadOfSession(tx: Transaction, user: UserHandle, sessionId: string, at: Date): Promise<void> {
  return recordUploads(tx, [[user.userId, sessionId, at]]);
}

/** When each session of the user last uploaded. */
export async function readLastUploads(db: Queryable, user: UserHandle): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.query<{ id: string; at: Date }>(
    'select session_id as id, uploaded_at as at from session_uploads where user_id = $1',
    [user.userId],
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** False if the user has no such session, or it is already revoked. */
export async function revokeSession(
  db: Queryable,
  user: { readonly userId: UserId },
  sessionId: string,
): Promise<boolean> {
  const rows = await db.query(
    `update sdk_sessions set status = 'revoked' where id = $2 and user_id = $1 and status <> 'revoked' returning id`,
    [user.userId, sessionId],
  );
  return rows.length > 0;
}

/** Counts sessions that are not revoked. */
export async function countSessionsOfKey(db: Queryable, keyId: string): Promise<number> {
  const text = `select count(*)::int as count from sdk_sessions where created_by_key = $1 and status <> 'revoked'`;
  const [row] = await db.query<{ count: number }>(text, [keyId]);
  return row?.count ?? 0;
}

export async function endSessionsOfKey(tx: Transaction, keyId: string): Promise<number> {
  const text = `update sdk_sessions set status = 'revoked' where created_by_key = $1 and status <> 'revoked' returning id`;
  return (await tx.query(text, [keyId])).length;
}

export async function readCreationRequest(
  tx: Transaction,
  user: UserHandle,
  key: string,
): Promise<CreationRequest | null> {
  const [row] = await tx.query<{
    body_hash: Buffer;
    session_id: string;
    client_token_version: number;
    created_at: Date;
  }>(
    'select body_hash, session_id, client_token_version, created_at from sdk_session_requests where user_id = $1 and idempotency_key = $2',
    [user.userId, key],
  );
  return row
    ? {
        bodyHash: row.body_hash,
        sessionId: row.session_id,
        clientVersion: row.client_token_version,
        createdAt: row.created_at,
      }
    : null;
}

export async function saveRequest(
  tx: Transaction,
  user: UserHandle,
  key: string,
  request: CreationRequest,
): Promise<void> {
  await tx.query(
    `insert into sdk_session_requests (user_id, idempotency_key, body_hash, session_id, client_token_version, created_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (user_id, idempotency_key) do update set body_hash = excluded.body_hash, session_id = excluded.session_id,
       client_token_version = excluded.client_token_version, created_at = excluded.created_at`,
    [user.userId, key, request.bodyHash, request.sessionId, request.clientVersion, request.createdAt],
  );
  await tx.query(
    `delete from sdk_session_requests where user_id = $1 and idempotency_key in
       (select idempotency_key from sdk_session_requests where user_id = $1 order by created_at desc, idempotency_key offset $2)`,
    [user.userId, MAX_REMEMBERED_REQUESTS],
  );
}

/** Stored idempotency keys per user; the oldest are removed beyond this. Retries usually come within minutes. */
const MAX_REMEMBERED_REQUESTS = 200;

/** Keeps the newest `keptCount`. Tokens of removed sessions are rejected as unknown. */
export async function removeOldestRevoked(tx: Transaction, user: UserHandle, keptCount: number): Promise<void> {
  const removed = await tx.query<RemovedSession>(
    `delete from sdk_sessions where id in
       (select id from sdk_sessions where user_id = $1 and status = 'revoked' order by created_at desc, id offset $2)
     returning id, user_id`,
    [user.userId, keptCount],
  );
  await removeUploadTimes(tx, removed);
}

type RemovedSession = Pick<SessionRow, 'id' | 'user_id'>;

async function removeUploadTimes(tx: Transaction, removed: readonly RemovedSession[]): Promise<void> {
  if (removed.length === 0) return;
  await tx.query('delete from session_uploads where user_id = any($1::uuid[]) and session_id = any($2::uuid[])', [
    removed.map(({ user_id }) => user_id),
    removed.map(({ id }) => id),
  ]);
}

export async function removeSdkSessions(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query('delete from sdk_session_requests where user_id = $1', [user.userId]);
  await tx.query('delete from session_uploads where user_id = $1', [user.userId]);
  await tx.query('delete from sdk_sessions where user_id = $1', [user.userId]);
}

/** Removes at most `limit` idempotency keys and returns how many. */
export async function removeOldRequests(db: Queryable, before: Date, limit: number): Promise<number> {
  const text = `delete from sdk_session_requests
    where ctid = any(array(select ctid from sdk_session_requests where created_at < $1 limit $2)) returning 1 as removed`;
  return (await db.query(text, [before, limit])).length;
}

/**
 * Removes at most `limit` sessions that can no longer be used: never activated, expired, or revoked. A revoked one stays while an
 * idempotency key names it, because a repeat returns it. Returns how many.
 */
export function removeDeadSessions(db: Database, before: Date, limit: number): Promise<number> {
  const text = `delete from sdk_sessions where id in (
      (select id from sdk_sessions where greatest(client_expires_at, refresh_expires_at) < $1 limit $2)
      union
      (select id from sdk_sessions s where status = 'revoked' and greatest(created_at, activated_at) < $1
          and not exists (select from sdk_session_requests r where r.user_id = s.user_id and r.session_id = s.id) limit $2)
      limit $2) returning id, user_id`;
  return db.transaction(async (tx) => {
    const removed = await tx.query<RemovedSession>(text, [before, limit]);
    await removeUploadTimes(tx, removed);
    return removed.length;
  });
}

type OwnerColumns = { account_id: AccountId; environment: Environment; default_form: Form; closed_at: Date | null };

function toOwner([row]: (SessionRow & OwnerColumns)[]): SessionOwner | null {
  return row
    ? {
        session: toSession(row),
        accountId: row.account_id,
        environment: row.environment,
        defaultForm: row.default_form,
        closedAt: row.closed_at,
      }
    : null;
}

function toSession(row: SessionRow): SdkSession {
  return {
    id: row.id,
    userId: row.user_id,
    installationId: row.installation_id,
    platform: row.platform,
    sources: row.sources,
    scopes: row.scopes,
    status: row.status,
    createdAt: row.created_at,
    activatedAt: row.activated_at,
    clientVersion: row.client_token_version,
    clientExpiresAt: row.client_expires_at,
    clientConsumedAt: row.client_consumed_at,
    credentialVersion: row.credential_version,
    credentialUsedAt: row.credential_used_at,
    accessExpiresAt: row.access_expires_at,
    refreshExpiresAt: row.refresh_expires_at,
    previousAccessExpiresAt: row.previous_access_expires_at,
    createdByKey: row.created_by_key,
  };
}
