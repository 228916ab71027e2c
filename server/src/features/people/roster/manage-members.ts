// Members: list, read, archive, reactivate, remove.
import { type MemberId, type MemberStatus, moveMember } from '../../../domain/roster.ts';
import { type CursorPage, readCursorPage } from '../../../platform/http/cursor-page.ts';
import { changeUser } from '../../tenancy/user-core/index.ts';
import {
  type ListedRosterMember,
  listRosterMembers,
  lockMember,
  readMember,
  readMemberRecord,
  rosterTenant,
  saveMemberStatus,
} from '../memberships/index.ts';
import { endMembership } from './end-membership.ts';
import { memberNotFound, parseMemberId, type RosterContext, rosterOf } from './roster-caller.ts';

export type ListMembersInput = {
  readonly status: MemberStatus;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listMembers(
  { services, caller }: RosterContext,
  { status, cursor, limit }: ListMembersInput,
): Promise<CursorPage<ListedRosterMember>> {
  const accountId = rosterOf(caller);
  return readCursorPage(
    services.cursors,
    { scope: `roster/${accountId}/${status}`, cursor, limit },
    (position, rows) => {
      const after = position && { joinedAt: new Date(position[0] as number), id: position[1] as MemberId };
      return listRosterMembers(services.db, accountId, { status, after, limit: rows });
    },
    ({ joinedAt, id }) => [joinedAt.getTime(), id],
  );
}

export async function getMember(
  { services, caller }: RosterContext,
  input: { id: string },
): Promise<ListedRosterMember> {
  const member = await readMember(services.db, rosterOf(caller), parseMemberId(input.id));
  if (!member) throw memberNotFound(input.id);
  return member;
}

/** Archiving only changes the list: data stays readable, and devices keep syncing. */
export async function updateMember(
  { services, caller }: RosterContext,
  input: { id: string; status: MemberStatus },
): Promise<ListedRosterMember> {
  const accountId = rosterOf(caller);
  const id = parseMemberId(input.id);
  return services.db.transaction(async (tx) => {
    const member = await lockMember(tx, accountId, id);
    const status = member && moveMember(member.status, input.status === 'archived' ? 'archive' : 'reactivate');
    if (status === null || status === 'removed') throw memberNotFound(input.id);
    await saveMemberStatus(tx, id, status);
    const changed = await readMember(tx, accountId, id);
    if (!changed) throw memberNotFound(input.id);
    return changed;
  });
}

/** Does nothing if the member was already removed. */
export async function removeMember({ services, caller }: RosterContext, input: { id: string }): Promise<void> {
  const accountId = rosterOf(caller);
  const id = parseMemberId(input.id);
  const member = await readMemberRecord(services.db, id);
  if (member?.accountId !== accountId) throw memberNotFound(input.id);
  const afterCommit = await changeUser(services, rosterTenant(accountId), member.userId, async (tx, locked) => {
    const present = await lockMember(tx, accountId, id); // read again under the user's lock
    if (!locked || !present || moveMember(present.status, 'remove') === null) return null;
    return endMembership(services, tx, locked.handle, present, 'account');
  });
  await afterCommit?.();
}
