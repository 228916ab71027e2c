// Keeps the keyring of this process in step with the database, reports which master key it uses, and rotates that key.
import { type BackgroundLoop, startLoop } from '../background-loop.ts';
import { formatMasterKey, generateMasterKey, type MasterKey } from '../crypto/master-key.ts';
import type { Database } from '../db/database.ts';
import { notUpYet } from '../db/database-errors.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Keyring } from './keyring.ts';
import type { MasterKeySource } from './master-key-source.ts';
import { openKeys, readKeys } from './open-keys.ts';
import { admitMaster, alreadyRetired, type RecordMaster, retireOtherMasters } from './replace-master.ts';
import { listMasters, markSeen } from './store.ts';

export type Rotation = {
  readonly fingerprint: string;
  readonly previous: string;
  /** Where the key is: in a file of the data folder, or in a setting of the operator. */
  readonly keptIn: MasterKeySource['kind'];
  /** Set only if the key was generated and the operator has to store it. */
  readonly newKey: string | null;
};

export type KeyKeeper = {
  /** Call before anything is sealed or opened. The first start creates the keys. */
  open(db: Database): Promise<void>;
  /** Loads changes of other processes, and retires master keys that are no longer used. */
  refresh(): Promise<void>;
  /** Why the next start would be refused, as of the last refresh; null: it would not. */
  problem(): string | null;
  start(): BackgroundLoop;
  /** `next` null: generates a key. The old key works until it is retired. */
  rotateMaster(next: MasterKey | null, record?: RecordMaster): Promise<Rotation>;
  /** Retires all master keys except the one of this process; returns their fingerprints. */
  finishRotation(record?: RecordMaster): Promise<string[]>;
};

const REFRESH_MS = 30_000; // a quarter of the time after which a master key counts as unused and a data key as known to all
const REST_MS = 1_000; // many secrets can have the same unknown key

export function createKeyKeeper(options: {
  db: Database;
  keyring: Keyring;
  source: MasterKeySource;
  log: Logger;
}): KeyKeeper {
  const { db, keyring, source, log } = options;
  /** The last one that the database accepted. */
  let master: MasterKey | null = null;
  let problem: string | null = null;

  /**
   * The key of the source, which another process that shares the data folder may have replaced. If the database does not accept
   * it, the key in force. Null: that was retired.
   */
  async function chooseMaster(): Promise<MasterKey | null> {
    const { key, reason } = readSource();
    if (key !== null && (await markSeen(db, key.fingerprint))) {
      problem = null;
      master = key;
      return master;
    }
    const { fingerprint } = getMasterOrThrow();
    const isInForce = await markSeen(db, fingerprint);
    problem = isInForce
      ? `${reason} The next start will need ${fingerprint}: put it back, or run "tributary keys rotate-master", which writes a new one.`
      : `The master key ${fingerprint} was rotated. Restart with the new key.`;
    log.error({ inForce: fingerprint }, problem);
    return isInForce ? master : null;
  }

  function readSource(): { key: MasterKey | null; reason: string } {
    try {
      const key = source.read();
      const reason = `The master.key file in the data folder has the key ${key.fingerprint}, which this database does not accept.`;
      return { key, reason };
    } catch (error) {
      return { key: null, reason: (error as Error).message };
    }
  }

  function getMasterOrThrow(): MasterKey {
    if (master === null) throw notUpYet();
    return master;
  }

  async function refresh(): Promise<void> {
    const current = await chooseMaster();
    if (current === null) return;
    if ((await listMasters(db)).length > 1) await retire(current, { isRequested: false });
    keyring.hold(await readKeys(db, current));
  }

  async function retire(kept: MasterKey, options: Parameters<typeof retireOtherMasters>[2]): Promise<string[]> {
    const retired = await retireOtherMasters(db, kept, options);
    if (retired.length > 0) log.info({ retired, inForce: kept.fingerprint }, 'retired master keys');
    return retired;
  }

  return {
    async open(startingDb) {
      const opened = await openKeys(startingDb, source);
      master = opened.master;
      keyring.hold(opened.keys);
    },
    refresh,
    problem: () => problem,
    start() {
      const loop = startLoop({
        name: 'keyring',
        pauseMs: REFRESH_MS,
        restMs: REST_MS,
        log,
        round: async () => {
          await refresh();
          return false;
        },
      });
      keyring.onUnknownKey((id) => {
        log.warn({ dataKey: id }, 'a secret uses a data key that this process does not have yet');
        loop.wake();
      });
      return loop;
    },
    async rotateMaster(wanted, record) {
      const previous = await chooseMaster();
      if (previous === null) throw alreadyRetired(getMasterOrThrow());
      const next = wanted ?? generateMasterKey();
      await admitMaster(db, previous, next, record);
      if (source.kind === 'file') {
        await source.replace(next).catch(cannotReplace);
        await refresh();
      }
      log.info({ inForce: next.fingerprint, previous: previous.fingerprint }, 'added a new master key');
      return {
        fingerprint: next.fingerprint,
        previous: previous.fingerprint,
        keptIn: source.kind,
        newKey: source.kind === 'environment' && wanted === null ? formatMasterKey(next) : null,
      };
    },
    async finishRotation(record) {
      const kept = (await chooseMaster()) ?? getMasterOrThrow();
      const retired = await retire(kept, { isRequested: true, record });
      await refresh();
      return retired;
    },
  };
}

/** Both keys work, so nothing has to be undone. */
function cannotReplace(cause: Error): never {
  throw new AppError('master_key_conflict', { message: cause.message, cause });
}
