// For commands that work with and without a running service: they call it, or open the database and its keys themselves.
import { loadConfig } from '../config.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import {
  createKeyKeeper,
  createKeyring,
  type KeyKeeper,
  type Keyring,
  masterKeySource,
} from '../platform/keyring/index.ts';
import type { Logger } from '../platform/log.ts';
import { ServiceAwayError } from './operator-client.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { withDatabase } from './with-database.ts';

type OpenedKeys = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly keeper: KeyKeeper;
  readonly log: Logger;
};

/** Prefers the service, because it knows where its key is stored. */
export async function preferService<Result>(
  throughService: () => Promise<Result>,
  onDatabaseItself: () => Promise<Result>,
): Promise<Result> {
  try {
    return await throughService();
  } catch (error) {
    if (!(error instanceof ServiceAwayError)) throw error;
    return onDatabaseItself();
  }
}

export async function withKeys<Result>(
  terminal: Terminal,
  work: (opened: OpenedKeys) => Promise<Result>,
): Promise<Result> {
  const source = masterKeySource(loadConfig(terminal.environment));
  source.read(); // fails without a key, before a database is created
  const isBusy = (dataDir: string) => `The service using ${dataDir} is starting or stopping. Try again shortly.`;
  try {
    return await withDatabase(terminal, isBusy, async (db, _config, log) => {
      const keyring = createKeyring();
      const keeper = createKeyKeeper({ db, keyring, source, log });
      await keeper.open(db);
      return work({ db, keyring, keeper, log });
    });
  } catch (error) {
    if (error instanceof AppError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}
