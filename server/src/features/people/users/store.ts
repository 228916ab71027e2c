// Reads a user together with its devices, and writes the audit entries of erasures.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import { batchedRead } from '../../../platform/db/batched-read.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import { DEVICES_OF_USER, type DeviceJson, resolveDevices } from '../../store/devices/index.ts';
import { ACTIVE_USER, toUser, USER_COLUMNS, USERS_BY_ID, type UserRow } from '../../tenancy/user-core/index.ts';
import { withScoreStatus } from './score-status.ts';
import type { UserDetail } from './user-detail.ts';

type DetailRow = UserRow & { devices: DeviceJson[] };

const READ_USER_DETAILS = statement(
  'read_user_details',
  `select ${USER_COLUMNS}, ${DEVICES_OF_USER} as devices from ${USERS_BY_ID} where ${ACTIVE_USER}`,
);
const readDetailRow = batchedRead<DetailRow>(READ_USER_DETAILS, (row) => row.id);

export async function readUserDetail(db: Queryable, tenant: Tenant, id: UserId, now: Date): Promise<UserDetail | null> {
  const row = await readDetailRow(db, [tenant.accountId, tenant.environment], id);
  return row ? { user: withScoreStatus(toUser(row), now), devices: resolveDevices(row.devices, now) } : null;
}

/** `subject` is a hash of the user's id. */
export async function recordErasure(tx: Transaction, tenant: Tenant, subject: string, at: Date): Promise<void> {
  await tx.query(
    `insert into audit_log (id, account_id, environment, at, actor, action, subject) values ($1, $2, $3, $4, 'job', 'user.erased', $5)`,
    [newId(), tenant.accountId, tenant.environment, at, subject],
  );
}

const BATCH_ERASURES = 1_000;

/** Audit entries of earlier versions, which contain the user's id. */
export function listReadableErasures(db: Queryable): Promise<{ id: string; subject: string }[]> {
  return db.query(
    `select id, subject from audit_log where action = 'user.erased' and subject not like 'sha256:%' limit $1`,
    [BATCH_ERASURES],
  );
}

export async function hideErased(db: Queryable, id: string, subject: string): Promise<void> {
  await db.query('update audit_log set subject = $2 where id = $1', [id, subject]);
}
