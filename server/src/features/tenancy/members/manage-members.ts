// What owners do with the members of an account: invite, change a role, remove. An account always keeps an owner.
import type { AccountId, MemberRole } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import {
  type Account,
  type Actor,
  addAccount,
  FIRST_START,
  insertAudit,
  listAccounts,
  lockAccount,
  nameOfActor,
  readAccount,
} from '../accounts/index.ts';
import { deleteWelcomeLinks, endInvitation, endInvitationsTo, type Invitation, listInvitations } from './link-store.ts';
import { enforceInvitationLimit } from './mail-limits.ts';
import { createLink, type NewLink } from './member-links.ts';
import { deleteSessions } from './member-session-store.ts';
import {
  countOwners,
  deleteMembership,
  hasAnyMember,
  type ListedMember,
  listMembers,
  type Membership,
  readMembership,
  setOperator,
  setRole,
} from './member-store.ts';
import { queueMail } from './send-mail-job.ts';
import { normalizeEmail } from './verify-credentials.ts';

/** Members and open invitations: more than any team has. */
const MAX_MEMBERS = 200;

type ChangeServices = Pick<Services, 'clock' | 'db'>;
type LinkServices = ChangeServices & Pick<Services, 'settings'>;

export async function listTeam(
  { clock, db }: ChangeServices,
  accountId: AccountId,
): Promise<{ readonly members: ListedMember[]; readonly invitations: Invitation[] }> {
  const [members, invitations] = await Promise.all([
    listMembers(db, accountId),
    listInvitations(db, accountId, clock.now()),
  ]);
  return { members, invitations };
}

/** Replaces an open invitation to the same address. `url` is null if it was mailed. */
export async function inviteMember(
  services: Pick<Services, 'clock' | 'db' | 'jobs' | 'mailer' | 'secrets' | 'settings'>,
  accountId: AccountId,
  invited: { readonly email: string; readonly role: MemberRole },
  by: Actor,
): Promise<Invitation & { readonly url: string | null }> {
  const [email, role] = [normalizeEmail(invited.email), invited.role];
  return services.db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const members = await listMembers(tx, accountId);
    const invitations = await listInvitations(tx, accountId, services.clock.now());
    const known = members.find((member) => member.email === email);
    if (known) throw new AppError('already_member', { details: { member_id: known.id } });
    if (members.length + invitations.length >= MAX_MEMBERS)
      throw new AppError('member_limit', { details: { limit: MAX_MEMBERS } });
    await enforceInvitationLimit(services, tx, accountId, email);
    await endInvitationsTo(tx, accountId, email);
    const createdBy = nameOfActor(by);
    const link = await createLink(services, tx, { kind: 'join', accountId, email, role }, createdBy);
    await record(services, tx, accountId, by, 'member.invited', link.id, { email, role });
    const account = await readAccount(tx, accountId);
    if (services.mailer !== null) {
      const facts = { account: account?.name ?? '', invitedBy: createdBy, link: link.url, expiresAt: link.expiresAt };
      await queueMail(services, tx, { to: { name: null, address: email }, mail: { kind: 'join', ...facts } });
    }
    const { id, expiresAt } = link;
    const url = services.mailer === null ? link.url : null;
    return { id, email, role, createdBy, createdAt: services.clock.now(), expiresAt, url };
  });
}

export async function revokeInvitation(
  services: ChangeServices,
  accountId: AccountId,
  id: string,
  by: Actor,
): Promise<void> {
  await services.db.transaction(async (tx) => {
    if (!(await endInvitation(tx, accountId, id, services.clock.now())))
      throw notFound('Invitation', { invitation_id: id });
    await record(services, tx, accountId, by, 'member.invitation_revoked', id);
  });
}

/** Ends the member's sessions of this account: the next sign-in has the new role. */
export async function changeRole(
  services: ChangeServices,
  accountId: AccountId,
  { memberId, role }: { readonly memberId: string; readonly role: MemberRole },
  by: Actor,
): Promise<ListedMember> {
  await services.db.transaction(async (tx) => {
    const membership = await lockMembership(tx, accountId, memberId);
    if (membership.role === role) return;
    if (membership.role === 'owner') await requireOtherOwner(tx, accountId);
    await setRole(tx, { ...membership, role });
    await deleteSessions(tx, membership.memberId, { accountId });
    const details = { email: membership.email, before: { role: membership.role }, after: { role } };
    await record(services, tx, accountId, by, 'member.role_changed', membership.memberId, details);
  });
  const members = await listMembers(services.db, accountId);
  const member = members.find(({ id }) => id === memberId.toLowerCase());
  if (member === undefined) throw notFound('Member', { member_id: memberId });
  return member;
}

export async function removeMember(
  services: ChangeServices,
  accountId: AccountId,
  memberId: string,
  by: Actor,
): Promise<void> {
  await services.db.transaction(async (tx) => {
    const membership = await lockMembership(tx, accountId, memberId);
    if (membership.role === 'owner') await requireOtherOwner(tx, accountId);
    await deleteMembership(tx, accountId, membership.memberId);
    await deleteSessions(tx, membership.memberId, { accountId });
    const details = { email: membership.email, name: membership.name };
    await record(services, tx, accountId, by, 'member.removed', membership.memberId, details);
  });
}

/** Every account has an owner: its creator gets the link for the first one. */
export async function createAccountWithLink(
  services: LinkServices,
  name: string,
  by: Actor,
): Promise<{ readonly account: Account; readonly link: NewLink }> {
  return services.db.transaction(async (tx) => {
    const account = await addAccount(services, tx, name, by);
    return { account, link: await addWelcomeLink(services, tx, account.id, by) };
  });
}

/** For the first owner of an account, or one who lost access. Earlier links stay valid until one is used. */
export async function createWelcomeLink(
  services: LinkServices,
  accountId: AccountId,
  by: Actor,
  { isOnly = false } = {},
): Promise<NewLink> {
  return services.db.transaction(async (tx) => {
    if (isOnly) await deleteWelcomeLinks(tx, accountId);
    return addWelcomeLink(services, tx, accountId, by);
  });
}

async function addWelcomeLink(
  services: LinkServices,
  tx: Transaction,
  accountId: AccountId,
  by: Actor,
): Promise<NewLink> {
  const link = await createLink(services, tx, { kind: 'welcome', accountId }, nameOfActor(by));
  await record(services, tx, accountId, by, 'member.welcome_link_created', link.id);
  return link;
}

/** For the oldest account. Null: somebody can sign in already. */
export async function createFirstLink(services: LinkServices): Promise<NewLink | null> {
  if (await hasAnyMember(services.db)) return null;
  const [first] = (await listAccounts(services.db)).sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  return first === undefined ? null : createWelcomeLink(services, first.id, FIRST_START);
}

/** The right to see the state of the deployment. Ends the member's sessions, so that the next one has the right. */
export async function changeOperator(
  services: ChangeServices,
  { email, isOperator }: { readonly email: string; readonly isOperator: boolean },
  by: Actor,
): Promise<void> {
  const address = normalizeEmail(email);
  await services.db.transaction(async (tx) => {
    const memberId = await setOperator(tx, address, isOperator);
    if (memberId === null) throw notFound('Member', { email });
    await deleteSessions(tx, memberId);
    const action = isOperator ? 'member.operator_granted' : 'member.operator_revoked';
    const entry = { at: services.clock.now(), actor: by, action, subject: memberId, details: { email: address } };
    await insertAudit(tx, { accountId: null, environment: null, ...entry });
  });
}

async function lockMembership(
  tx: Transaction,
  accountId: AccountId,
  memberId: string,
): Promise<Membership & { readonly email: string; readonly name: string }> {
  await lockAccount(tx, accountId);
  const membership = await readMembership(tx, accountId, memberId.toLowerCase());
  if (membership === null) throw notFound('Member', { member_id: memberId });
  return membership;
}

async function requireOtherOwner(tx: Transaction, accountId: AccountId): Promise<void> {
  if ((await countOwners(tx, accountId)) <= 1) throw new AppError('last_owner');
}

async function record(
  { clock }: Pick<Services, 'clock'>,
  tx: Transaction,
  accountId: AccountId,
  actor: Actor,
  action: string,
  subject: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  await insertAudit(tx, { accountId, environment: null, at: clock.now(), actor, action, subject, details });
}
