// tributary keys rotate-master: through the running service, or on the database itself when none runs here.
import { loadConfig } from '../config.ts';
import { formatMasterKey } from '../platform/crypto/master-key.ts';
import { AppError } from '../platform/errors.ts';
import { createKeyKeeper, createKeyring, type KeyKeeper, masterKeySource } from '../platform/keyring/index.ts';
import { callOperator, ServiceAwayError } from './operator-client.ts';
import { CommandError, printJson, type Terminal } from './terminal.ts';
import { withDatabase } from './with-database.ts';

export type MasterKeyOptions = { finish?: boolean; json?: boolean };

type Rotation = { fingerprint: string; previous: string; kept_in: 'file' | 'environment'; new_key: string | null };

export async function rotateMaster(terminal: Terminal, options: MasterKeyOptions): Promise<void> {
  if (options.finish) return finishRotation(terminal, options);
  const rotation = await rotate(terminal);
  if (options.json) return printJson(terminal, rotation);
  const { dataDir } = loadConfig(terminal.environment);
  terminal.stdout(rotation.kept_in === 'file' ? describeFile(rotation, dataDir) : describeGiven(rotation));
}

async function finishRotation(terminal: Terminal, options: MasterKeyOptions): Promise<void> {
  const { retired } = await preferService(
    () => callOperator<{ retired: string[] }>(terminal, 'POST', '/admin/master-key/finish'),
    () => onDatabase(terminal, async (keeper) => ({ retired: await keeper.finishRotation() })),
  );
  if (options.json) return printJson(terminal, { retired });
  terminal.stdout(
    retired.length > 0
      ? `Retired: ${retired.join(', ')}. Only the master key that the service runs with opens the deployment now.\n`
      : 'There is nothing to finish: one master key opens the deployment.\n',
  );
}

function rotate(terminal: Terminal): Promise<Rotation> {
  const { newMasterKey } = loadConfig(terminal.environment);
  const body = { new_key: newMasterKey && formatMasterKey(newMasterKey) };
  return preferService(
    () => callOperator<Rotation>(terminal, 'POST', '/admin/master-key/rotate', body),
    () =>
      onDatabase(terminal, async (keeper) => {
        const { fingerprint, previous, keptIn, newKey } = await keeper.rotateMaster(newMasterKey);
        return { fingerprint, previous, kept_in: keptIn, new_key: newKey };
      }),
  );
}

/** The service knows where its key comes from, and its file stays its own. */
async function preferService<Result>(
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

async function onDatabase<Result>(terminal: Terminal, work: (keeper: KeyKeeper) => Promise<Result>): Promise<Result> {
  const source = masterKeySource(loadConfig(terminal.environment));
  source.read(); // without a key there is nothing to rotate, and no database should be made for it
  const isBusy = (dataDir: string) => `The service on ${dataDir} is starting or stopping. Try again shortly.`;
  try {
    return await withDatabase(terminal, isBusy, async (db, _config, log) => {
      const keeper = createKeyKeeper({ db, keyring: createKeyring(), source, log });
      await keeper.open(db);
      return work(keeper);
    });
  } catch (error) {
    if (error instanceof AppError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

function describeFile({ fingerprint, previous }: Rotation, dataDir: string): string {
  return `The master key is now ${fingerprint}, in ${dataDir}/master.key. Back it up apart from the database, and copy it to
other data folders of this deployment. The old one (${previous}) is retired once no process has run
with it for two minutes. Keep its backup as long as you keep database backups from its time.
`;
}

function describeGiven({ fingerprint, previous, new_key }: Rotation): string {
  const shown = new_key === null ? '' : `${new_key}\n\nThis key is shown once. `;
  return `${shown}Set TRIBUTARY_MASTER_KEY to the new master key (${fingerprint}) and restart every process.
Until then the old one (${previous}) goes on working; it is retired once no process has run with it
for two minutes. Keep it as long as you keep database backups from its time.
`;
}
