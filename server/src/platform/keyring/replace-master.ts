// A master key is replaced in two steps. First the new one wraps every data key beside the old one: both open the
// deployment, so whatever is interrupted, it starts. Once nobody runs with the old one any more, that one is retired.
import type { MasterKey } from '../crypto/master-key.ts';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { addDataKey, readKeys } from './open-keys.ts';
import { deleteOtherMasters, insertMaster, insertWrappedKey, listMasters, lockKeyring } from './store.ts';

/** Lets `next` open everything that `current` opens. */
export function admitMaster(db: Database, current: MasterKey, next: MasterKey): Promise<void> {
  return db.transaction(async (tx) => {
    await lockKeyring(tx);
    const masters = await listMasters(tx);
    if (masters.some((master) => master.fingerprint === next.fingerprint)) throw alreadyKnown(next);
    const keys = await readKeys(tx, current);
    if (keys.length === 0) throw isRetired(current);
    await insertMaster(tx, next.fingerprint);
    for (const { id, secret } of keys)
      await insertWrappedKey(tx, { id, wrapped: next.wrap(id, secret), master: next.fingerprint });
  });
}

/**
 * Retires all master keys but `kept`, and gives new secrets a data key that none of the retired ones ever wrapped.
 * Unasked only when that can lock nobody out: no other is in use, and none came later, which somebody may be about to use.
 */
export function retireOtherMasters(
  db: Database,
  kept: MasterKey,
  { isRequested }: { isRequested: boolean },
): Promise<string[]> {
  return db.transaction(async (tx) => {
    await lockKeyring(tx);
    const masters = await listMasters(tx);
    const own = masters.find((master) => master.fingerprint === kept.fingerprint);
    if (!own) throw isRetired(kept);
    const others = masters.filter((master) => master !== own);
    const inUse = others.filter((master) => master.isInUse);
    if (isRequested && inUse.length > 0) throw stillInUse(inUse.map((master) => master.fingerprint));
    const mayRetire = isRequested || others.every((master) => !master.isInUse && master.number < own.number);
    if (others.length === 0 || !mayRetire) return [];
    const keys = await readKeys(tx, kept);
    await deleteOtherMasters(tx, kept.fingerprint);
    await addDataKey(tx, kept, Math.max(...keys.map((key) => key.id)) + 1);
    return others.map((master) => master.fingerprint);
  });
}

function alreadyKnown({ fingerprint }: MasterKey): AppError {
  return new AppError('master_key_conflict', {
    message: `The master key ${fingerprint} opens this deployment already. Give another one, or none, and one is made.`,
    details: { fingerprint },
  });
}

function isRetired({ fingerprint }: MasterKey): AppError {
  return new AppError('master_key_conflict', {
    message: `The master key ${fingerprint} was replaced. Restart the service with the one in force.`,
    details: { fingerprint },
  });
}

function stillInUse(fingerprints: readonly string[]): AppError {
  const message =
    `The master key ${fingerprints.join(', ')} was in use within the last two minutes. ` +
    'Restart every process with the new one, wait two minutes, and finish then.';
  return new AppError('master_key_conflict', { message, details: { in_use: fingerprints } });
}
