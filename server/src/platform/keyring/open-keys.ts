// Decrypts the keys of the deployment with its master key; the first start creates them.
import { randomBytes } from 'node:crypto';
import { CliError } from '../cli-error.ts';
import { KEY_BYTES } from '../crypto/derive-key.ts';
import type { MasterKey } from '../crypto/master-key.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { type DataKey, FIRST_DATA_KEY_ID, ROOT_ID } from './keyring.ts';
import type { MasterKeySource } from './master-key-source.ts';
import {
  insertDataKey,
  insertMaster,
  insertWrappedKey,
  type KnownMaster,
  listMasters,
  listWrappedKeys,
  lockKeyring,
  markSeen,
  type WrappedKey,
} from './store.ts';

export class WrongMasterKeyError extends CliError {}
export class DamagedKeyError extends CliError {}

/** Rejects a master key that cannot decrypt the stored keys. */
export function openKeys(
  db: Database,
  source: Pick<MasterKeySource, 'read' | 'readOrMake'>,
): Promise<{ master: MasterKey; keys: DataKey[] }> {
  return db.transaction(async (tx) => {
    await lockKeyring(tx);
    const masters = await listMasters(tx);
    const master = masters.length === 0 ? source.readOrMake() : readKnown(source, masters);
    await requireKnownMaster(tx, masters, master);
    const keys = await readKeys(tx, master);
    await markSeen(tx, master.fingerprint);
    return { master, keys };
  });
}

function readKnown(source: Pick<MasterKeySource, 'read'>, masters: readonly KnownMaster[]): MasterKey {
  try {
    return source.read();
  } catch (error) {
    throw new WrongMasterKeyError(
      `This database needs the master key ${namesOf(masters)}. ${(error as Error).message} ` +
        'Otherwise put the original master.key file back into the data folder, or set TRIBUTARY_MASTER_KEY.',
      { cause: error },
    );
  }
}

/** Returns nothing if the master key does not belong to this deployment. */
export async function readKeys(db: Queryable, master: MasterKey): Promise<DataKey[]> {
  return (await listWrappedKeys(db, master.fingerprint)).map((key) => unwrap(key, master));
}

export async function addDataKey(
  tx: Transaction,
  master: MasterKey,
  id: number,
  secret: Buffer = randomBytes(KEY_BYTES),
): Promise<void> {
  await insertDataKey(tx, id);
  await insertWrappedKey(tx, { id, wrapped: master.wrap(id, secret), master: master.fingerprint });
}

async function requireKnownMaster(tx: Transaction, masters: readonly KnownMaster[], master: MasterKey): Promise<void> {
  if (masters.length === 0) {
    await insertMaster(tx, master.fingerprint);
    return makeFirstKeys(tx, master, randomBytes(KEY_BYTES));
  }
  if (!masters.some((known) => known.fingerprint === master.fingerprint)) throw wrongMaster(masters, master);
  // Deployments without data keys derived everything from their master key, so it becomes the root key and nothing changes.
  const isFromBefore = (await listWrappedKeys(tx, master.fingerprint)).length === 0;
  if (isFromBefore) await makeFirstKeys(tx, master, master.exportSecret());
}

async function makeFirstKeys(tx: Transaction, master: MasterKey, root: Buffer): Promise<void> {
  await addDataKey(tx, master, ROOT_ID, root);
  await addDataKey(tx, master, FIRST_DATA_KEY_ID);
}

function unwrap({ id, wrapped, isSettled }: WrappedKey, master: MasterKey): DataKey {
  try {
    return { id, secret: master.unwrap(id, wrapped), isSettled };
  } catch (cause) {
    throw new DamagedKeyError(
      `Data key ${id} in the database is damaged: the master key ${master.fingerprint} cannot decrypt it. Restore the table wrapped_keys from a backup.`,
      { cause },
    );
  }
}

function namesOf(masters: readonly KnownMaster[]): string {
  return masters.map(({ fingerprint }) => fingerprint).join(' or ');
}

function wrongMaster(masters: readonly KnownMaster[], given: MasterKey): WrongMasterKeyError {
  return new WrongMasterKeyError(
    `This database was set up with another master key (${namesOf(masters)}, not ${given.fingerprint}). ` +
      'Set TRIBUTARY_MASTER_KEY to the original key, or put the original master.key file back into the data folder. ' +
      'After "tributary keys rotate-master", use the new key.',
  );
}
