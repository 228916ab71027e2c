// Uses a one-time link: creates the first owner of an account, accepts an invitation, or sets a new password.
import type { AccountId, MemberRole } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { isUniqueViolation } from '../../../platform/db/database-errors.ts';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import { insertAudit, lockAccount, memberActor } from '../accounts/index.ts';
import { auditMember } from './audit-member.ts';
import { consumeLink, deleteResetLinks, deleteWelcomeLinks } from './link-store.ts';
import { getLinkOrThrow } from './member-links.ts';
import { deleteSessions } from './member-session-store.ts';
import {
  insertMember,
  insertMembership,
  type Member,
  type MemberCredentials,
  readCredentials,
  readMembership,
  setPassword,
  setRole,
} from './member-store.ts';
import { openSession, type RequestOrigin } from './open-session.ts';
import { hashPassword } from './password-hash.ts';
import { requireGoodPassword } from './password-rules.ts';
import { readSessionView, type SignedIn } from './sign-in.ts';
import {
  normalizeEmail,
  requireSameCredentials,
  type VerifyServices,
  verifyCredentials,
} from './verify-credentials.ts';

type Newcomer = {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly code?: string | undefined;
};

export async function welcome(
  services: VerifyServices,
  given: Newcomer & { readonly token: string },
  origin: RequestOrigin,
): Promise<SignedIn> {
  const link = await getLinkOrThrow(services, given.token, 'welcome');
  return enter(services, given, origin, { ...link, role: 'owner' });
}

export async function join(
  services: VerifyServices,
  given: Omit<Newcomer, 'email'> & { readonly token: string },
  origin: RequestOrigin,
): Promise<SignedIn> {
  const link = await getLinkOrThrow(services, given.token, 'join');
  return enter(services, { ...given, email: link.email }, origin, link);
}

/** Somebody who is a member elsewhere proves it with the password (and code) that they have. */
async function enter(
  services: VerifyServices,
  given: Newcomer,
  origin: RequestOrigin,
  link: {
    readonly id: string;
    readonly kind: 'welcome' | 'join';
    readonly accountId: AccountId;
    readonly role: MemberRole;
  },
): Promise<SignedIn> {
  const email = normalizeEmail(given.email);
  const known = await readCredentials(services.db, { email });
  const member =
    known === null
      ? await prepareMember(given, email)
      : await verifyCredentials(services, {
          ...given,
          email,
          address: origin.address,
          sessionCookie: origin.sessionCookie,
        });
  const now = services.clock.now();
  const opened = await services.db.transaction(async (tx) => {
    await lockAccount(tx, link.accountId);
    if (!(await consumeLink(tx, link.id, now))) throw new AppError('link_invalid');
    if (link.kind === 'welcome') await deleteWelcomeLinks(tx, link.accountId);
    if (known === null) await createMember(tx, { ...member, createdAt: now });
    else await requireSameCredentials(tx, member);
    await addToAccount(tx, member, link, now);
    await insertAudit(tx, {
      accountId: link.accountId,
      environment: null,
      at: now,
      actor: memberActor(member, origin.requestId),
      action: 'member.joined',
      subject: member.id,
      details: { name: member.name, email, role: link.role },
    });
    return openSession(tx, { memberId: member.id, accountId: link.accountId, origin }, now);
  });
  const caller = { memberId: member.id, tenant: { accountId: link.accountId, environment: 'live' as const } };
  return { token: opened.token, session: await readSessionView(services, caller, opened.confirmedUntil) };
}

type PreparedMember = Member & Pick<MemberCredentials, 'passwordHash'>;

async function prepareMember({ name, password }: Newcomer, email: string): Promise<PreparedMember> {
  requireGoodPassword(password, { email, name });
  const passwordHash = await hashPassword(password);
  return { id: newId<string>(), email, name, hasTotp: false, isOperator: false, passwordHash };
}

async function createMember(tx: Transaction, member: PreparedMember & { readonly createdAt: Date }): Promise<void> {
  try {
    await insertMember(tx, member);
  } catch (error) {
    // Another link created the member meanwhile; the next try asks for that password.
    if (isUniqueViolation(error, 'members_email_key')) throw new AppError('invalid_credentials');
    throw error;
  }
}

/** A link never takes a right away. */
async function addToAccount(
  tx: Transaction,
  { id }: Pick<Member, 'id'>,
  { accountId, role }: { readonly accountId: AccountId; readonly role: MemberRole },
  now: Date,
): Promise<void> {
  const membership = await readMembership(tx, accountId, id);
  if (membership === null) await insertMembership(tx, { accountId, memberId: id, role, createdAt: now });
  else if (role === 'owner') await setRole(tx, { accountId, memberId: id, role });
}

/** Ends all sessions of the member, because the reason may be a stolen password. The authenticator app stays. */
export async function resetPassword(
  services: Pick<Services, 'clock' | 'db'>,
  given: { readonly token: string; readonly password: string },
  requestId: string,
): Promise<void> {
  const link = await getLinkOrThrow(services, given.token, 'reset');
  const member = await readCredentials(services.db, { id: link.memberId });
  if (member === null) throw new AppError('link_invalid');
  requireGoodPassword(given.password, member);
  const passwordHash = await hashPassword(given.password);
  await services.db.transaction(async (tx) => {
    await setPassword(tx, member.id, passwordHash);
    if (!(await consumeLink(tx, link.id, services.clock.now()))) throw new AppError('link_invalid');
    await deleteResetLinks(tx, member.id);
    await deleteSessions(tx, member.id);
    const entry = { at: services.clock.now(), actor: memberActor(member, requestId), action: 'member.password_reset' };
    await auditMember(tx, member.id, entry);
  });
}
