// tributary restore: fills an empty database from a backup, and repeats later erasures and ends of keys and sharing.
import { resolve } from 'node:path';
import { type Config, tombstoneFileOf } from '../config.ts';
import type { AppliedTombstones } from '../features/operator/tombstones/index.ts';
import { auditDeployment, CLI } from '../features/tenancy/accounts/index.ts';
import { checkBackup, loadCopy, type Manifest, openBackup } from '../platform/backup/index.ts';
import type { MasterKey } from '../platform/crypto/master-key.ts';
import { loadMigrations } from '../platform/db/migrate.ts';
import { masterKeySource } from '../platform/keyring/index.ts';
import { prepareJobs, withOwnDatabase } from './copy-databases.ts';
import { collectTombstones, describeApplied, replayTombstones } from './replay-tombstones.ts';
import { CommandError, printJson, type Terminal } from './terminal.ts';

export type RestoreOptions = { check?: boolean; tombstones?: string[]; json?: boolean };

export async function restore(terminal: Terminal, folder: string, options: RestoreOptions): Promise<void> {
  if (folder === '') throw new CommandError('The folder is empty. Name the folder that "tributary backup" printed.');
  const path = resolve(folder);
  const manifest = await checkBackup(path);
  if (options.check) return report(terminal, options, manifest, 'The backup is complete and unchanged');
  const applied = await withOwnDatabase(terminal, 'restore', async ({ target, config }) => {
    const master = readMasterKeyOf(manifest, config);
    const tombstones = await collectTombstones(terminal, options.tombstones ?? [], tombstoneFileOf(config));
    let outcome: AppliedTombstones | null = null;
    await loadCopy(target, openBackup(path, manifest), {
      migrations: loadMigrations(),
      prepareJobs: () => prepareJobs(target),
      complete: async (tx) => {
        outcome = await replayTombstones(tx, master, tombstones);
        await auditDeployment(tx, { action: 'database.restored', actor: CLI, at: new Date() });
      },
    });
    return outcome;
  });
  report(terminal, options, manifest, 'Restored', applied);
}

function readMasterKeyOf({ masterKeys }: Manifest, config: Config): MasterKey {
  const needed = `This backup needs the master key ${masterKeys.join(' or ')}.`;
  const fix = `Put its file into ${config.dataDir} as master.key, or set TRIBUTARY_MASTER_KEY. Nothing was restored.`;
  let key: MasterKey;
  try {
    key = masterKeySource(config).read();
  } catch (error) {
    throw new CommandError(`${needed} ${(error as Error).message} ${fix}`, { cause: error });
  }
  if (masterKeys.includes(key.fingerprint)) return key;
  throw new CommandError(`${needed} The one that is set is ${key.fingerprint}. ${fix}`);
}

function report(
  terminal: Terminal,
  options: RestoreOptions,
  manifest: Manifest,
  outcome: string,
  tombstones: AppliedTombstones | null = null,
): void {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const { at, version, masterKeys } = manifest;
  if (options.json) printJson(terminal, { at, version, rows, master_keys: masterKeys, tombstones });
  else
    terminal.stdout(
      `${outcome}: ${rows} rows of ${at}, written by version ${version}.\n${tombstones ? `${describeApplied(tombstones)}\n` : ''}`,
    );
}
