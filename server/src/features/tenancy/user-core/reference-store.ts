// The references of users by their ids, for lists that name them. The caller has read the ids from the account's own rows.
import type { UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';

const LIST_REFERENCES = statement(
  'list_references',
  `select id, reference_id as "referenceId" from users where id = any($1::uuid[]) and status = 'active'`,
);

export async function listReferences(
  db: Queryable,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, string | null>> {
  const rows = await db.query<{ id: UserId; referenceId: string | null }>(LIST_REFERENCES, [userIds]);
  return new Map(rows.map(({ id, referenceId }) => [id, referenceId]));
}
