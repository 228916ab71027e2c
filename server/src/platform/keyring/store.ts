// Stores the fingerprints of master keys, and the data keys that each of them has wrapped.
import { type Queryable, statement, type Transaction } from '../db/database.ts';

export type KnownMaster = {
  readonly fingerprint: string;
  /** Increases with each new key. */
  readonly number: number;
  /** A process recently reported that it uses this key. */
  readonly isInUse: boolean;
};
export type WrappedKey = { readonly id: number; readonly wrapped: Buffer; readonly isSettled: boolean };

/** Processes report their key and load new keys every 30 s; after four missed reports a key counts as unused. */
const SETTLED_AFTER = "interval '2 minutes'";

const LIST_MASTERS = statement(
  'list_master_keys',
  `select fingerprint, number, coalesce(seen_at > now() - ${SETTLED_AFTER}, false) as "isInUse" from master_keys order by number`,
);
export type KnownMasterKey = {
  readonly fingerprint: string;
  readonly createdAt: Date;
  readonly seenAt: Date | null;
  readonly isInUse: boolean;
};

/** For the operator: several during a rotation. */
export function listMasterKeys(db: Queryable): Promise<KnownMasterKey[]> {
  return db.query<KnownMasterKey>(
    `select fingerprint, created_at as "createdAt", seen_at as "seenAt",
            coalesce(seen_at > now() - ${SETTLED_AFTER}, false) as "isInUse" from master_keys order by number`,
  );
}

const LIST_WRAPPED_KEYS = statement(
  'list_wrapped_keys',
  `select data_keys.id, wrapped, created_at <= now() - ${SETTLED_AFTER} as "isSettled"
   from wrapped_keys join data_keys on data_keys.id = data_key where master_key = $1 order by data_keys.id`,
);
const MARK_SEEN = statement(
  'mark_master_key_seen',
  'update master_keys set seen_at = now() where fingerprint = $1 returning true as seen',
);

/** Serializes changes of the keyring across processes. */
export async function lockKeyring(tx: Transaction): Promise<void> {
  await tx.query('lock table master_keys in share row exclusive mode');
}

export function listMasters(db: Queryable): Promise<KnownMaster[]> {
  return db.query<KnownMaster>(LIST_MASTERS);
}

export function listWrappedKeys(db: Queryable, master: string): Promise<WrappedKey[]> {
  return db.query<WrappedKey>(LIST_WRAPPED_KEYS, [master]);
}

/** False: the deployment does not know this master key. */
export async function markSeen(db: Queryable, master: string): Promise<boolean> {
  return (await db.query(MARK_SEEN, [master])).length > 0;
}

export async function insertMaster(tx: Transaction, fingerprint: string): Promise<void> {
  await tx.query('insert into master_keys (fingerprint) values ($1)', [fingerprint]);
}

export async function insertDataKey(tx: Transaction, id: number): Promise<void> {
  await tx.query('insert into data_keys (id) values ($1)', [id]);
}

export async function insertWrappedKey(tx: Transaction, key: { id: number; wrapped: Buffer; master: string }) {
  await tx.query('insert into wrapped_keys (data_key, master_key, wrapped) values ($1, $2, $3)', [
    key.id,
    key.master,
    key.wrapped,
  ]);
}

/** Also deletes the data keys that they wrapped. */
export async function deleteOtherMasters(tx: Transaction, kept: string): Promise<void> {
  await tx.query('delete from master_keys where fingerprint <> $1', [kept]);
}
