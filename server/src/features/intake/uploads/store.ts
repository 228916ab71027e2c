// All SQL of uploads. Replies are stored so that a retry gets the same reply.
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { isQuotaCheckDue } from '../../../platform/quota-check.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { UploadAnswer } from './upload-answer.ts';

type AnsweredUpload = { readonly bodyHash: Buffer; readonly answer: UploadAnswer };
type NewUpload = { readonly bodyHash: Uint8Array; readonly answer: UploadAnswer };

const READ_UPLOAD = statement(
  'read_upload',
  'select body_hash, answer from uploads where user_id = $1 and upload_id = $2',
);
const INSERT_UPLOAD = statement(
  'insert_upload',
  'insert into uploads (user_id, upload_id, device, body_hash, answer, received_at) values ($1, $2, $3, $4, $5, $6)',
);

export async function readUpload(db: Queryable, user: UserHandle, uploadId: string): Promise<AnsweredUpload | null> {
  const [row] = await db.query<{ body_hash: Buffer; answer: UploadAnswer }>(READ_UPLOAD, [user.userId, uploadId]);
  return row ? { bodyHash: row.body_hash, answer: row.answer } : null;
}

export async function insertUpload(
  tx: Transaction,
  user: UserHandle,
  device: DeviceNumber,
  { bodyHash, answer }: NewUpload,
  receivedAt: Date,
): Promise<void> {
  const stored = JSON.stringify(answer);
  await tx.query(INSERT_UPLOAD, [user.userId, answer.upload_id, device, bodyHash, stored, receivedAt]);
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
