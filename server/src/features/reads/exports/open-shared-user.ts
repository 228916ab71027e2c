// Opens the user of an export again while the file is written.
import { AppError } from '../../../platform/errors.ts';
import { openUserRecord } from '../../tenancy/user-core/index.ts';
import type { ExportSource } from './export-source.ts';

/** Not found if the user no longer shares with the account or was deleted. A response that has begun ends before its last byte. */
export async function openSharedUser({ db, user }: Pick<ExportSource, 'db' | 'user'>) {
  const opened = await openUserRecord(db, user.tenant, user.userId);
  if (opened === null)
    throw new AppError('not_found', { message: 'The user was deleted or stopped sharing during the export.' });
  return opened;
}
