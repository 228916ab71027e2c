// Reads a snapshot of a whole database, while others write to it.
import type { ConnectionTarget } from '../db/database.ts';
import { listApplied } from '../db/migrate.ts';
import { listMasterKeys } from '../keyring/index.ts';
import { listPartitions, listSequences, listTables, resolvable } from './catalog.ts';
import type { CopySource } from './contents.ts';
import { asTransaction, withCopyClient } from './copy-client.ts';
import { CopyError } from './copy-error.ts';
import { copyOut } from './copy-out.ts';
import { quoteNames } from './quote-names.ts';

export function withSnapshot<Result>(
  target: ConnectionTarget,
  version: string,
  work: (source: CopySource) => Promise<Result>,
): Promise<Result> {
  return withCopyClient(target, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const tx = asTransaction(client);
    const migrations = await listApplied(tx);
    if (migrations === null)
      throw new CopyError(
        'The database has no tables of Tributary, so there is nothing to copy. Check TRIBUTARY_DATA_DIR and DATABASE_URL.',
      );
    const tables = await listTables(tx);
    // Keeps migrations and dropped partitions waiting until the copy is complete.
    await client.query(`lock table ${tables.map(({ name }) => resolvable(name)).join(', ')} in access share mode`);
    const [server] = await tx.query<{ postgres: string; at: Date }>(
      `select current_setting('server_version') as postgres, now() as at`,
    );
    if (!server) throw new Error('a server without a version');
    const contents = {
      version,
      at: server.at.toISOString(),
      postgres: server.postgres,
      masterKeys: (await listMasterKeys(tx)).map(({ fingerprint }) => fingerprint),
      migrations,
      tables,
      partitions: await listPartitions(tx),
    };
    return work({
      contents,
      openTable: ({ name, columns }) => copyOut(client, `select ${quoteNames(columns)} from only ${resolvable(name)}`),
      listSequences: () => listSequences(tx),
    });
  });
}
