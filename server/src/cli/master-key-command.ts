// tributary keys rotate-master: calls the running service, or opens the database if no service runs.
import { loadConfig } from '../config.ts';
import { auditDeployment, CLI } from '../features/tenancy/accounts/index.ts';
import { formatMasterKey } from '../platform/crypto/master-key.ts';
import type { Transaction } from '../platform/db/database.ts';
import { callOperator } from './operator-client.ts';
import { preferService, withKeys } from './prefer-service.ts';
import { printJson, type Terminal } from './terminal.ts';

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
    () =>
      withKeys(terminal, async ({ keeper }) => ({
        retired: await keeper.finishRotation(recordAs('master_key.retired')),
      })),
  );
  if (options.json) return printJson(terminal, { retired });
  terminal.stdout(
    retired.length > 0
      ? `Retired: ${retired.join(', ')}. Only the current master key works now.\n`
      : 'Nothing to finish: there is only one master key.\n',
  );
}

function rotate(terminal: Terminal): Promise<Rotation> {
  const { newMasterKey } = loadConfig(terminal.environment);
  const body = { new_key: newMasterKey && formatMasterKey(newMasterKey) };
  return preferService(
    () => callOperator<Rotation>(terminal, 'POST', '/admin/master-key/rotate', body),
    () =>
      withKeys(terminal, async ({ keeper }) => {
        const { fingerprint, previous, keptIn, newKey } = await keeper.rotateMaster(
          newMasterKey,
          recordAs('master_key.rotated'),
        );
        return { fingerprint, previous, kept_in: keptIn, new_key: newKey };
      }),
  );
}

function recordAs(action: string) {
  const act = { action, actor: CLI, at: new Date() };
  return (tx: Transaction, subject: string) => auditDeployment(tx, { ...act, subject });
}

function describeFile({ fingerprint, previous }: Rotation, dataDir: string): string {
  return `The master key is now ${fingerprint}, in ${dataDir}/master.key. Back it up separately from the database, and copy it to
the other data folders of this deployment. The old key (${previous}) is retired once no process has used
it for two minutes. Keep its backup as long as you keep database backups that were made with it.
`;
}

function describeGiven({ fingerprint, previous, new_key }: Rotation): string {
  const newKey = new_key === null ? '' : `${new_key}\n\nThis key is shown only once. `;
  return `${newKey}Set TRIBUTARY_MASTER_KEY to the new master key (${fingerprint}) and restart every process.
The old key (${previous}) works until then and is retired once no process has used it for two minutes.
Keep it as long as you keep database backups that were made with it.
`;
}
