// Applies the files of tombstones to a database, in the transaction that restores it or in a separate one.
import { existsSync } from 'node:fs';
import { type AppliedTombstones, applyTombstones } from '../features/operator/tombstones/index.ts';
import { systemClock } from '../platform/clock.ts';
import { createCredentialVersion } from '../platform/credential-version.ts';
import { createDerivedSecrets } from '../platform/crypto/derived-secret.ts';
import type { MasterKey } from '../platform/crypto/master-key.ts';
import { createDatabase, type Transaction } from '../platform/db/database.ts';
import { createJobQueue } from '../platform/jobs/job-queue.ts';
import { createKeyring, readKeys } from '../platform/keyring/index.ts';
import { createLogger } from '../platform/log.ts';
import { readTombstones, type Tombstone } from '../platform/tombstones.ts';
import { countOf } from './count-of.ts';
import { CommandError, printNote, type Terminal } from './terminal.ts';

/** Without named files, those of `fallback`, which does not exist in a new data folder. */
export async function collectTombstones(
  terminal: Pick<Terminal, 'argv' | 'stderr'>,
  named: readonly string[],
  fallback: string,
): Promise<Tombstone[]> {
  for (const file of named)
    if (!existsSync(file))
      throw new CommandError(
        `${file === '' ? 'The name of a tombstone file is empty' : `${file} does not exist`}. Name the tombstones of the former data folder.`,
      );
  if (named.length === 0 && !existsSync(fallback))
    printNote(
      terminal,
      `No tombstones were read: ${fallback} does not exist. If somebody was erased or stopped sharing after the backup, run "tributary tombstones apply" with the file of the former data folder before you start the service.\n`,
    );
  const files = named.length > 0 ? named : [fallback];
  const lists = await Promise.all(files.map((file) => readTombstones(file)));
  return lists.flat();
}

export async function replayTombstones(
  tx: Transaction,
  master: MasterKey,
  tombstones: readonly Tombstone[],
): Promise<AppliedTombstones> {
  const keyring = createKeyring();
  const keys = await readKeys(tx, master);
  if (keys.length === 0)
    throw new CommandError(
      `The master key ${master.fingerprint} does not open this database. Set TRIBUTARY_MASTER_KEY to its key, or put its master.key into the data folder.`,
    );
  keyring.hold(keys);
  const log = createLogger('warn');
  const nothing = async () => undefined; // they are in the files already
  const services = {
    clock: systemClock,
    credentialVersion: createCredentialVersion(createDatabase({ maxConnections: 1, log }), systemClock),
    derivedSecrets: createDerivedSecrets(() => keyring.derive('derived secrets')),
    jobs: createJobQueue(),
    tombstones: { add: nothing, tryToAdd: nothing },
  };
  return applyTombstones(services, tx, tombstones);
}

export function describeApplied({ users, accounts, keys, unshared }: AppliedTombstones): string {
  const ended = [
    ...(keys > 0 ? [countOf(keys, 'API key')] : []),
    ...(unshared > 0 ? [`the sharing of ${countOf(unshared, 'user')}`] : []),
  ];
  const erased = [
    ...(users > 0 ? [countOf(users, 'user')] : []),
    ...(accounts > 0 ? [countOf(accounts, 'account')] : []),
  ];
  if (ended.length + erased.length === 0) return 'No tombstone applies to it.';
  const sentences = [
    ...(ended.length > 0 ? [`Ended again: ${ended.join(', ')}.`] : []),
    ...(erased.length > 0
      ? [`Erasing again: ${erased.join(', ')}.`, 'The service erases the data after its start.']
      : []),
  ];
  return sentences.join(' ');
}
