// Removes what members have in an account that is deleted.
import type { AccountId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';

/** Removes memberships, sessions and links of the account, and members without another account, except operators. */
export async function removeMembersOf(tx: Transaction, accountId: AccountId): Promise<void> {
  const rows = await tx.query<{ member_id: string }>(
    'delete from account_members where account_id = $1 returning member_id',
    [accountId],
  );
  await tx.query(
    `delete from members m where m.id = any($1::uuid[]) and not m.is_operator
        and not exists (select from account_members am where am.member_id = m.id)`,
    [rows.map((row) => row.member_id)],
  );
  await tx.query('delete from member_links where account_id = $1', [accountId]);
  await tx.query('delete from member_sessions where account_id = $1', [accountId]);
}
