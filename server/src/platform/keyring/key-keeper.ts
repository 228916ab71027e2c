// Keeps the keyring of this process in step with the database, reports which master key it uses, and rotates that key.
import { type BackgroundLoop, startLoop } from '../background-loop.ts';
import { formatMasterKey, generateMasterKey, type MasterKey } from '../crypto/master-key.ts';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Keyring } from './keyring.ts';
import type { MasterKeySource } from './master-key-source.ts';
import { openKeys, readKeys } from './open-keys.ts';
import { admitMaster, type RecordMaster, retireOtherMasters } from './replace-master.ts';
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
  let master: MasterKey | null = null;

  /** Another process that shares the data folder may have replaced the file. */
  function readMaster(): MasterKey {
    try {
      master = source.read();
    } catch (error) {
      if (master === null) throw error;
      log.error({ err: error }, 'cannot read the master key again; the next start will need it');
    }
    return master;
  }

  async function refresh(): Promise<void> {
    const current = readMaster();
    if (!(await markSeen(db, current.fingerprint))) {
      log.error({ fingerprint: current.fingerprint }, 'the master key was rotated; restart with the new key');
      return;
    }
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
      const previous = readMaster();
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
      const retired = await retire(readMaster(), { isRequested: true, record });
      await refresh();
      return retired;
    },
  };
}

/** Both keys work, so nothing has to be undone. */
function cannotReplace(cause: Error): never {
  throw new AppError('master_key_conflict', { message: cause.message, cause });
}
