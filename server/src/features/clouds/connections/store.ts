// All SQL of authorization_requests. A request is found by the hash of a secret that only its user has.
import type { AccountId, DeviceId, Environment, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { AuthorizationRequest, ConnectFailure, Ending, PickerLink, Visit } from './authorization-request.ts';

type AuthorizationRow = {
  secret_hash: Buffer;
  user_id: UserId;
  device_id: DeviceId;
  account_id: AccountId;
  environment: Environment;
  provider: string;
  app_id: string;
  redirect_url: string | null;
  expires_at: Date;
  decided_at: Date | null;
  browser_hash: Buffer | null;
  sealed_state: Buffer | null;
  finished_at: Date | null;
  outcome: 'active' | ConnectFailure | null;
  outcome_device_id: DeviceId | null;
  is_popup: boolean;
  language: string | null;
};

const COLUMNS = `secret_hash, user_id, device_id, account_id, environment, provider, app_id, redirect_url, expires_at, decided_at, browser_hash,
  sealed_state, finished_at, outcome, outcome_device_id, is_popup, language`;
const READ_BY_SECRET = statement(
  'read_authorization_request_by_secret',
  `select ${COLUMNS} from authorization_requests where secret_hash = $1 and device_id is not null`,
);
const READ_BY_STATE = statement(
  'read_authorization_request_by_state',
  `select ${COLUMNS} from authorization_requests where state_hash = $1`,
);
const READ_BY_RESULT = statement(
  'read_authorization_request_by_result',
  `select ${COLUMNS} from authorization_requests where result_hash = $1`,
);

export async function insertAuthorization(
  tx: Transaction,
  { userId, tenant }: UserHandle,
  authorizationRequest: Pick<
    AuthorizationRequest,
    'secretHash' | 'deviceId' | 'provider' | 'appId' | 'redirectUrl' | 'expiresAt'
  >,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into authorization_requests (secret_hash, user_id, device_id, account_id, environment, provider, app_id, redirect_url, created_at,
       expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      authorizationRequest.secretHash,
      userId,
      authorizationRequest.deviceId,
      tenant.accountId,
      tenant.environment,
      authorizationRequest.provider,
      authorizationRequest.appId,
      authorizationRequest.redirectUrl,
      now,
      authorizationRequest.expiresAt,
    ],
  );
}

export async function readAuthorizationBySecret(
  db: Queryable,
  secretHash: Buffer,
): Promise<AuthorizationRequest | null> {
  const [row] = await db.query<AuthorizationRow>(READ_BY_SECRET, [secretHash]);
  return row ? toAuthorization(row) : null;
}

export async function readAuthorizationByState(db: Queryable, stateHash: Buffer): Promise<AuthorizationRequest | null> {
  const [row] = await db.query<AuthorizationRow>(READ_BY_STATE, [stateHash]);
  return row ? toAuthorization(row) : null;
}

export type AuthorizationSteps = {
  readonly deviceId: DeviceId;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly openedAt: Date | null;
  readonly decidedAt: Date | null;
  readonly finishedAt: Date | null;
};

/** Newest first. */
export function listAuthorizationsOfUser(db: Queryable, { userId }: UserHandle): Promise<AuthorizationSteps[]> {
  return db.query<AuthorizationSteps>(
    `select device_id as "deviceId", created_at as "createdAt", expires_at as "expiresAt", opened_at as "openedAt", decided_at as "decidedAt",
       finished_at as "finishedAt" from authorization_requests where user_id = $1 order by created_at desc`,
    [userId],
  );
}

/** The first time counts. */
export async function recordOpened(db: Queryable, { secretHash }: AuthorizationRequest, now: Date): Promise<void> {
  await db.query('update authorization_requests set opened_at = $2 where secret_hash = $1 and opened_at is null', [
    secretHash,
    now,
  ]);
}

export async function readAuthorizationByResult(
  db: Queryable,
  resultHash: Buffer,
): Promise<AuthorizationRequest | null> {
  const [row] = await db.query<AuthorizationRow>(READ_BY_RESULT, [resultHash]);
  return row ? toAuthorization(row) : null;
}

export async function insertPickerLink(
  db: Queryable,
  secretHash: Buffer,
  { userId, tenant, redirectUrl, expiresAt }: PickerLink,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into authorization_requests (secret_hash, user_id, account_id, environment, redirect_url, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [secretHash, userId, tenant.accountId, tenant.environment, redirectUrl, now, expiresAt],
  );
}

export async function readPickerLink(db: Queryable, secretHash: Buffer): Promise<PickerLink | null> {
  const [row] = await db.query<
    Pick<AuthorizationRow, 'user_id' | 'account_id' | 'environment' | 'redirect_url' | 'expires_at'>
  >(
    `select user_id, account_id, environment, redirect_url, expires_at from authorization_requests
      where secret_hash = $1 and device_id is null`,
    [secretHash],
  );
  if (!row) return null;
  const tenant = { accountId: row.account_id, environment: row.environment };
  return { userId: row.user_id, tenant, redirectUrl: row.redirect_url, expiresAt: row.expires_at };
}

/** False: already decided. */
export async function allowAuthorization(
  db: Queryable,
  { secretHash }: AuthorizationRequest,
  allowed: {
    readonly stateHash: Buffer;
    readonly browserHash: Buffer;
    readonly sealedState: Buffer;
    readonly visit: Visit;
  },
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `update authorization_requests set decided_at = $5, state_hash = $2, browser_hash = $3, sealed_state = $4,
       is_popup = $6, language = $7
      where secret_hash = $1 and decided_at is null returning 1`,
    [
      secretHash,
      allowed.stateHash,
      allowed.browserHash,
      allowed.sealedState,
      now,
      allowed.visit.isPopup,
      allowed.visit.language,
    ],
  );
  return rows.length > 0;
}

/** False: already decided. */
export async function denyAuthorization(
  tx: Transaction,
  { secretHash }: AuthorizationRequest,
  { isPopup, language }: Visit,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update authorization_requests set decided_at = $2, finished_at = $2, is_popup = $3, language = $4
      where secret_hash = $1 and decided_at is null returning 1`,
    [secretHash, now, isPopup, language],
  );
  return rows.length > 0;
}

/** False: already finished. Committed before the code is used, so that no callback is processed twice. */
export async function finishAuthorization(
  db: Queryable,
  { secretHash }: AuthorizationRequest,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    'update authorization_requests set finished_at = $2, sealed_state = null where secret_hash = $1 and finished_at is null returning 1',
    [secretHash, now],
  );
  return rows.length > 0;
}

/** The outcome, for the result page. */
export async function recordEnding(
  db: Queryable,
  { secretHash }: AuthorizationRequest,
  ending: Ending,
  resultHash: Buffer,
  now: Date,
): Promise<void> {
  await db.query(
    `update authorization_requests set outcome = $2, outcome_device_id = $3, result_hash = $4, finished_at = coalesce(finished_at, $5)
      where secret_hash = $1`,
    [secretHash, ending.status === 'failed' ? ending.reason : 'active', ending.deviceId, resultHash, now],
  );
}

export async function removeAuthorizationsOfDevice(
  tx: Transaction,
  { userId }: UserHandle,
  id: DeviceId,
): Promise<void> {
  await tx.query('delete from authorization_requests where user_id = $1 and device_id = $2', [userId, id]);
}

/** For erasure. */
export async function removeAuthorizations(tx: Transaction, { userId }: UserHandle): Promise<void> {
  await tx.query('delete from authorization_requests where user_id = $1', [userId]);
}

/** Removes at most `limit` requests and returns their number. */
export async function removeOldAuthorizations(db: Queryable, expiredBefore: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from authorization_requests where secret_hash in (
       select secret_hash from authorization_requests where expires_at <= $1 order by expires_at limit $2) returning 1 as removed`,
    [expiredBefore, limit],
  );
  return rows.length;
}

function toAuthorization(row: AuthorizationRow): AuthorizationRequest {
  return {
    secretHash: row.secret_hash,
    userId: row.user_id,
    deviceId: row.device_id,
    tenant: { accountId: row.account_id, environment: row.environment },
    provider: row.provider,
    appId: row.app_id,
    redirectUrl: row.redirect_url,
    expiresAt: row.expires_at,
    decidedAt: row.decided_at,
    browserHash: row.browser_hash,
    sealedState: row.sealed_state,
    finishedAt: row.finished_at,
    ending: toEnding(row),
    visit: { isPopup: row.is_popup, language: row.language },
  };
}

function toEnding({ outcome, outcome_device_id: deviceId }: AuthorizationRow): Ending | null {
  if (outcome === null || deviceId === null) return null;
  return outcome === 'active' ? { status: 'active', deviceId } : { status: 'failed', deviceId, reason: outcome };
}
