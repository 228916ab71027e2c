// Opens the data folder and makes this process its owner.
import { type Config, tombstoneFileOf } from './config.ts';
import { CliError } from './platform/cli-error.ts';
import { lockDataFolder, openDataFolder } from './platform/data-folder.ts';
import { requireTombstoneFile } from './platform/tombstones.ts';

class FolderInUseError extends CliError {}

/** The embedded database has one owner. With DATABASE_URL, several processes can share the folder. */
export function claimDataFolder(config: Config): { release(): void } {
  openDataFolder(config.dataDir);
  requireTombstoneFile(tombstoneFileOf(config));
  if (config.databaseUrl !== null) return { release: () => undefined };
  const lock = lockDataFolder(config.dataDir);
  if (lock) return lock;
  throw new FolderInUseError(
    `Another Tributary process uses the data folder ${config.dataDir}. Stop it first, or set TRIBUTARY_DATA_DIR to another folder. ` +
      'To run several processes, set DATABASE_URL to a shared PostgreSQL.',
  );
}
