// tributary tombstones apply: for databases that were restored by other means, such as point-in-time recovery.
import { loadConfig, tombstoneFileOf } from '../config.ts';
import { auditDeployment, CLI } from '../features/tenancy/accounts/index.ts';
import { masterKeySource } from '../platform/keyring/index.ts';
import { collectTombstones, describeApplied, replayTombstones } from './replay-tombstones.ts';
import { printJson, type Terminal } from './terminal.ts';
import { withDatabase } from './with-database.ts';

export type TombstoneOptions = { json?: boolean };

export async function applyFiles(
  terminal: Terminal,
  files: readonly string[],
  options: TombstoneOptions,
): Promise<void> {
  const config = loadConfig(terminal.environment);
  const master = masterKeySource(config).read();
  const tombstones = await collectTombstones(terminal, files, tombstoneFileOf(config));
  const applied = await withDatabase(
    terminal,
    (dataDir) =>
      `A service or another command is using ${dataDir}. Stop it, and run "tributary tombstones apply" again.`,
    (db) =>
      db.transaction(async (tx) => {
        await auditDeployment(tx, { action: 'tombstones.applied', actor: CLI, at: new Date() });
        return replayTombstones(tx, master, tombstones);
      }),
  );
  if (options.json) printJson(terminal, applied);
  else terminal.stdout(`${describeApplied(applied)}\n`);
}
