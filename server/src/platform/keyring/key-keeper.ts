// Keeps this process's keyring the same as the database's, tells which master key it runs with, and replaces that key.
import { type BackgroundLoop, startLoop } from '../background-loop.ts';
import { formatMasterKey, generateMasterKey, type MasterKey } from '../crypto/master-key.ts';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Keyring } from './keyring.ts';
import type { MasterKeySource } from './master-key-source.ts';
import { openKeys, readKeys } from './open-keys.ts';
import { admitMaster, retireOtherMasters } from './replace-master.ts';
import { listMasters, markSeen } from './store.ts';

export type Rotation = {
  readonly fingerprint: string;
  readonly previous: string;
  /** Who keeps it: the file in the data folder, or the operator, who has to set it. */
  readonly keptIn: MasterKeySource['kind'];
  /** Only when it was made here and the operator has to keep it. */
  readonly newKey: string | null;
};

export type KeyKeeper = {
  /** Before anything is sealed or opened; the first time makes the keys. */
  open(db: Database): Promise<void>;
  /** Takes over what other processes changed, and retires master keys that nobody uses any more. */
  refresh(): Promise<void>;
  start(): BackgroundLoop;
  /** `next`: null makes one. The old key opens the deployment too until it is retired. */
  rotateMaster(next: MasterKey | null): Promise<Rotation>;
  /** Retires all master keys but the one this process runs with; returns their fingerprints. */
  finishRotation(): Promise<string[]>;
};

const REFRESH_MS = 30_000; // a quarter of the time after which a master key counts as unused and a data key as known
const REST_MS = 1_000; // secrets with an unknown key may come in numbers

export function createKeyKeeper(options: {
  db: Database;
  keyring: Keyring;
  source: MasterKeySource;
  log: Logger;
}): KeyKeeper {
  const { db, keyring, source, log } = options;
  let master: MasterKey = source.read();

  /** Another process that shares the data folder may have replaced it. */
  function readMaster(): MasterKey {
    try {
      master = source.read();
    } catch (error) {
      log.error({ err: error }, 'the master key cannot be read again; the next start will need it');
    }
    return master;
  }

  async function refresh(): Promise<void> {
    const current = readMaster();
    if (!(await markSeen(db, current.fingerprint))) {
      log.error({ fingerprint: current.fingerprint }, 'the master key was replaced: restart with the one in force');
      return;
    }
    if ((await listMasters(db)).length > 1) await retire(current, false);
    keyring.hold(await readKeys(db, current));
  }

  async function retire(kept: MasterKey, isRequested: boolean): Promise<string[]> {
    const retired = await retireOtherMasters(db, kept, { isRequested });
    if (retired.length > 0) log.info({ retired, inForce: kept.fingerprint }, 'master keys were retired');
    return retired;
  }

  return {
    async open(startingDb) {
      keyring.hold(await openKeys(startingDb, readMaster()));
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
        log.warn({ dataKey: id }, 'a secret names a data key that this process does not have yet');
        loop.wake();
      });
      return loop;
    },
    async rotateMaster(wanted) {
      const previous = readMaster();
      const next = wanted ?? generateMasterKey();
      await admitMaster(db, previous, next);
      if (source.kind === 'file') {
        await source.replace(next).catch(cannotReplace);
        await refresh();
      }
      log.info({ inForce: next.fingerprint, previous: previous.fingerprint }, 'a new master key was admitted');
      return {
        fingerprint: next.fingerprint,
        previous: previous.fingerprint,
        keptIn: source.kind,
        newKey: source.kind === 'environment' && wanted === null ? formatMasterKey(next) : null,
      };
    },
    async finishRotation() {
      const retired = await retire(readMaster(), true);
      await refresh();
      return retired;
    },
  };
}

/** Both keys open the deployment, so nothing has to be taken back. */
function cannotReplace(cause: Error): never {
  throw new AppError('master_key_conflict', { message: cause.message, cause });
}
