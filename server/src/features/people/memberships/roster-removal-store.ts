// SQL that removes the roster of a deleted account.
import type { AccountId } from '../../../domain/tenancy.ts';
import type { Database } from '../../../platform/db/database.ts';
import { removeJobsNaming } from '../../../platform/jobs/job-queue.ts';
import { lockPeople, removeForgotten } from './person-store.ts';

/**
 * For the deletion of an account, after its users: removes at most `limit` invitations and returns how many. People who have
 * nothing in another account are forgotten.
 */
export async function removeRosterOf(db: Database, accountId: AccountId, limit: number): Promise<number> {
  return db.transaction(async (tx) => {
    const batch = `select person_id from roster_invitations where account_id = $1
      union select person_id from roster_members where account_id = $1 limit ${limit}`;
    const people = await lockPeople(tx, batch, accountId);
    const text = 'account_id = $1 and person_id = any($2::uuid[]) returning id';
    const invitations = await tx.query<{ id: string }>(`delete from roster_invitations where ${text}`, [
      accountId,
      people,
    ]);
    const members = await tx.query<{ id: string }>(`delete from roster_members where ${text}`, [accountId, people]);
    const forgotten = await removeForgotten(tx, people);
    await removeJobsNaming(tx, [...[...invitations, ...members].map(({ id }) => id), ...forgotten]);
    return people.length;
  });
}
