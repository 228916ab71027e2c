// All SQL of uploads. Replies are stored so that a retry gets the same reply.
import type { DeviceNumber, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { sharedRows } from '../../../platform/db/row-statement.ts';
import { sharedStatement } from '../../../platform/db/shared-transaction.ts';
import { isQuotaCheckDue } from '../../../platform/quota-check.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { UploadAnswer } from './upload-answer.ts';

type AnsweredUpload = { readonly bodyHash: Buffer; readonly answer: UploadAnswer };
type NewUpload = { readonly bodyHash: Uint8Array; readonly answer: UploadAnswer };

/** `group by` and `or` fix the plan (`platform/db/shared-transaction.ts`). */
const READ_UPLOADS = statement(
  'read_uploads',
  `select found.user_id, found.body_hash, found.answer from unnest($1::uuid[], $2::uuid[]) as asked (user_id, upload_id)
    cross join lateral (select * from uploads where (user_id = any($1::uuid[]) or user_id = ($1::uuid[])[1])
        and user_id = asked.user_id and upload_id = asked.upload_id group by user_id, upload_id) found`,
);
const insertUploads = sharedRows({
  name: 'insert_uploads',
  columns: 6,
  text: (rows) => `insert into uploads (user_id, upload_id, device, body_hash, answer, received_at) values ${rows}`,
});

type AskedUpload = { readonly user: UserHandle; readonly uploadId: string };
type UploadRow = { user_id: UserId; body_hash: Buffer; answer: UploadAnswer };

const readShared = sharedStatement<AskedUpload, AnsweredUpload | null>(async (db, asked) => {
  const rows = await db.query<UploadRow>(READ_UPLOADS, [
    asked.map(({ user }) => user.userId),
    asked.map(({ uploadId }) => uploadId),
  ]);
  const byUser = new Map(rows.map((row) => [row.user_id, { bodyHash: row.body_hash, answer: row.answer }]));
  return asked.map(({ user }) => byUser.get(user.userId) ?? null);
});

export function readUpload(tx: Transaction, user: UserHandle, uploadId: string): Promise<AnsweredUpload | null> {
  return readShared(tx, { user, uploadId });
}

export async function insertUpload(
  tx: Transaction,
  user: UserHandle,
  device: DeviceNumber,
  { bodyHash, answer }: NewUpload,
  receivedAt: Date,
): Promise<void> {
  const stored = JSON.stringify(answer);
  await insertUploads(tx, [[user.userId, answer.upload_id, device, bodyHash, stored, receivedAt]]);
  if (isQuotaCheckDue(1, ANSWERS_PER_CHECK)) await removeOldestUploads(tx, user, MAX_ANSWERS);
}

const LIST_UPLOADS = statement(
  'list_uploads',
  `select upload_id as "uploadId", device, answer, received_at as "receivedAt" from uploads
    where user_id = $1 and ($2::timestamptz is null or (received_at, upload_id) < ($2, $3::uuid))
    order by received_at desc, upload_id desc limit $4`,
);

export type UploadReceipt = {
  readonly uploadId: string;
  readonly device: DeviceNumber;
  readonly answer: UploadAnswer;
  readonly receivedAt: Date;
};

/** Newest first. */
export function listUploads(
  db: Queryable,
  { userId }: UserHandle,
  before: { readonly receivedAt: Date; readonly uploadId: string } | null,
  limit: number,
): Promise<UploadReceipt[]> {
  return db.query<UploadReceipt>(LIST_UPLOADS, [userId, before?.receivedAt ?? null, before?.uploadId ?? null, limit]);
}

/** Per user: an upload every three minutes for 90 days. Beyond this the oldest are removed. */
const MAX_ANSWERS = 50_000;
const ANSWERS_PER_CHECK = 1_000; // the check reads all uploads of the user

/** Keeps the newest `keptCount`. */
export async function removeOldestUploads(tx: Transaction, user: UserHandle, keptCount: number): Promise<void> {
  await tx.query(
    `delete from uploads where user_id = $1 and upload_id in
       (select upload_id from uploads where user_id = $1 order by received_at desc, upload_id offset $2)`,
    [user.userId, keptCount],
  );
}

/** For a deleted device: its data is removed, so a stored reply would be wrong. */
export async function removeUploadsOfDevice(tx: Transaction, user: UserHandle, device: DeviceNumber): Promise<void> {
  await tx.query('delete from uploads where user_id = $1 and device = $2', [user.userId, device]);
}

export async function removeUploads(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query('delete from uploads where user_id = $1', [user.userId]);
}

/** Removes at most `limit` uploads and returns their number. */
export async function removeUploadsBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `with old as (select user_id, upload_id from uploads where received_at < $1 order by received_at limit $2)
     delete from uploads u using old where u.user_id = old.user_id and u.upload_id = old.upload_id returning 1 as removed`,
    [before, limit],
  );
  return rows.length;
}
