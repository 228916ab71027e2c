// All SQL of members and account_members.
import type { AccountId, MemberRole } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';

export type NewMember = {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly isOperator: boolean;
  readonly createdAt: Date;
};

export async function insertMember(tx: Transaction, member: NewMember): Promise<void> {
  await tx.query(
    'insert into members (id, email, name, password_hash, is_operator, created_at) values ($1, $2, $3, $4, $5, $6)',
    [member.id, member.email, member.name, member.passwordHash, member.isOperator, member.createdAt],
  );
}

export async function insertMembership(
  tx: Transaction,
  membership: {
    readonly accountId: AccountId;
    readonly memberId: string;
    readonly role: MemberRole;
    readonly createdAt: Date;
  },
): Promise<void> {
  await tx.query('insert into account_members (account_id, member_id, role, created_at) values ($1, $2, $3, $4)', [
    membership.accountId,
    membership.memberId,
    membership.role,
    membership.createdAt,
  ]);
}
