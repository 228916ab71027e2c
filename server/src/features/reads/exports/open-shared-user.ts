// Opens the user of an export again while the file is written.
import { openUserRecord } from '../../tenancy/user-core/index.ts';
import type { ExportSource } from './export-source.ts';

/** Throws if the user no longer shares with the account or was deleted, which ends the response before its last byte. */
export async function openSharedUser({ db, user }: Pick<ExportSource, 'db' | 'user'>) {
  const opened = await openUserRecord(db, user.tenant, user.userId);
  if (opened === null) throw new Error('the user was deleted or stopped sharing during the export');
  return opened;
}
