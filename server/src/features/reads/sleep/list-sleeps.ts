// Lists the canonical sleeps of a date range as a read presents them, oldest first.
import type { Queryable } from '../../../platform/db/database.ts';
import { listCanonicalSleeps, listSleepDuplicates } from '../../store/session-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { type DateRange, readSources } from '../shared/index.ts';
import { describeSleeps, type FilledSleep } from './describe-sleeps.ts';

export async function listSleeps(db: Queryable, user: UserHandle, range: DateRange): Promise<FilledSleep[]> {
  const rows = await listCanonicalSleeps(db, user, range, { after: null, limit: null, offset: 0 });
  const duplicates = await listSleepDuplicates(db, user, rows);
  return describeSleeps(user, rows.reverse(), duplicates, await readSources(db, user));
}
