// Rotates the master key in two steps. First the new key wraps every data key too, so that the service starts with either key
// even if the rotation is interrupted. The old key is retired once no process uses it.
import type { MasterKey } from '../crypto/master-key.ts';
import type { Database, Transaction } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { addDataKey, readKeys } from './open-keys.ts';
import { deleteOtherMasters, insertMaster, insertWrappedKey, listMasters, lockKeyring } from './store.ts';

/** Writes a record of a change of a master key in the transaction of the change. */
export type RecordMaster = (tx: Transaction, fingerprint: string) => Promise<void>;

/** Wraps every data key with `next` as well. */
export function admitMaster(db: Database, current: MasterKey, next: MasterKey, record?: RecordMaster): Promise<void> {
  return db.transaction(async (tx) => {
    await lockKeyring(tx);
    const masters = await listMasters(tx);
    if (masters.some((master) => master.fingerprint === next.fingerprint)) throw alreadyKnown(next);
    const keys = await readKeys(tx, current);
    if (keys.length === 0) throw alreadyRetired(current);
    await insertMaster(tx, next.fingerprint);
    for (const { id, secret } of keys)
      await insertWrappedKey(tx, { id, wrapped: next.wrap(id, secret), master: next.fingerprint });
    await record?.(tx, next.fingerprint);
  });
}

/**
 * Retires all master keys except `kept`, and creates a data key for new secrets that no retired key has wrapped. Automatic only
 * if no process is locked out: no other key is in use, and no newer one exists that a process may be about to use.
 */
export function retireOtherMasters(
  db: Database,
  kept: MasterKey,
  { isRequested, record }: { isRequested: boolean; record?: RecordMaster | undefined },
): Promise<string[]> {
  return db.transaction(async (tx) => {
    await lockKeyring(tx);
    const masters = await listMasters(tx);
    const own = masters.find((master) => master.fingerprint === kept.fingerprint);
    if (!own) throw alreadyRetired(kept);
    const others = masters.filter((master) => master !== own);
    const inUse = others.filter((master) => master.isInUse);
    if (isRequested && inUse.length > 0) throw stillInUse(inUse.map((master) => master.fingerprint));
    const mayRetire = isRequested || others.every((master) => !master.isInUse && master.number < own.number);
    if (others.length === 0 || !mayRetire) return [];
    const keys = await readKeys(tx, kept);
    await deleteOtherMasters(tx, kept.fingerprint);
    await addDataKey(tx, kept, Math.max(...keys.map((key) => key.id)) + 1);
    const retired = others.map((master) => master.fingerprint);
    for (const fingerprint of retired) await record?.(tx, fingerprint);
    return retired;
  });
}

function alreadyKnown({ fingerprint }: MasterKey): AppError {
  return new AppError('master_key_conflict', {
    message: `The master key ${fingerprint} is already in use here. Provide another key, or none to generate one.`,
    details: { fingerprint },
  });
}

export function alreadyRetired({ fingerprint }: MasterKey): AppError {
  return new AppError('master_key_conflict', {
    message: `The master key ${fingerprint} was replaced. Restart the service with the new key.`,
    details: { fingerprint },
  });
}

function stillInUse(fingerprints: readonly string[]): AppError {
  const message =
    `The master key ${fingerprints.join(', ')} was in use within the last two minutes. ` +
    'Restart every process with the new key, wait two minutes, and try again.';
  return new AppError('master_key_conflict', { message, details: { in_use: fingerprints } });
}
