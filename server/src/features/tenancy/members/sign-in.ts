// Opens, changes and ends sessions of the dashboard.
import { AppError, notFound } from '../../../platform/errors.ts';
import type { MemberCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { holdAccount, insertAudit, memberActor } from '../accounts/index.ts';
import { deleteSession, type ListedSession, listMemberSessions } from './member-session-store.ts';
import { type AccountOfMember, listAccountsOf, type MemberCredentials, readCredentials } from './member-store.ts';
import { openSession, type RequestOrigin, renewSession } from './open-session.ts';
import { CONFIRMED_MS, FORMER_TOKEN_MS, isSessionOver } from './session-token.ts';
import {
  type GivenCredentials,
  requireSameCredentials,
  type VerifyServices,
  verifyCredentials,
} from './verify-credentials.ts';

/** What the dashboard shows of a session. */
export type SessionView = {
  readonly member: MemberCredentials;
  readonly account: AccountOfMember;
  readonly accounts: readonly AccountOfMember[];
  readonly confirmedUntil: Date | null;
};
/** `token`: for the cookie. */
export type SignedIn = { readonly token: string; readonly session: SessionView };

export async function signIn(
  services: VerifyServices,
  given: Omit<GivenCredentials, 'address' | 'sessionCookie'>,
  origin: RequestOrigin,
): Promise<SignedIn> {
  const { address, sessionCookie } = origin;
  const member = await verifyCredentials(services, { ...given, address, sessionCookie });
  const accounts = await listAccountsOf(services.db, member.id);
  const account = accounts.find(({ closedAt }) => closedAt === null) ?? accounts[0];
  if (account === undefined) throw new AppError('invalid_credentials'); // removed from the last account meanwhile
  const now = services.clock.now();
  const opened = await services.db.transaction(async (tx) => {
    await holdAccount(tx, account.id);
    await requireSameCredentials(tx, member);
    const session = await openSession(tx, { memberId: member.id, accountId: account.id, origin }, now);
    const actor = memberActor(member, origin.requestId);
    const entry = { at: now, actor, action: 'session.started', subject: session.id };
    await insertAudit(tx, { accountId: account.id, environment: null, ...entry });
    return session;
  });
  return { token: opened.token, session: { member, account, accounts, confirmedUntil: opened.confirmedUntil } };
}

export async function readSessionView(
  { db }: Pick<Services, 'db'>,
  caller: Pick<MemberCaller, 'memberId' | 'tenant'>,
  confirmedUntil: Date | null,
): Promise<SessionView> {
  const [member, accounts] = await Promise.all([
    readCredentials(db, { id: caller.memberId }),
    listAccountsOf(db, caller.memberId),
  ]);
  const account = accounts.find(({ id }) => id === caller.tenant.accountId);
  if (member === null || account === undefined) throw new AppError('invalid_token');
  return { member, account, accounts, confirmedUntil };
}

/** Shows another account of the member. */
export async function switchAccount(
  services: Pick<Services, 'clock' | 'db'>,
  caller: MemberCaller,
  accountId: string,
): Promise<SignedIn> {
  const accounts = await listAccountsOf(services.db, caller.memberId);
  const account = accounts.find(({ id }) => id === accountId.toLowerCase());
  if (account === undefined) throw notFound('Account', { account_id: accountId });
  const change = { accountId: account.id, wasConfirmedUntil: caller.confirmedUntil };
  const token = await services.db.transaction(async (tx) => {
    await holdAccount(tx, account.id);
    return renewSession(tx, caller.sessionId, change);
  });
  const tenant = { ...caller.tenant, accountId: account.id };
  return { token, session: await readSessionView(services, { ...caller, tenant }, caller.confirmedUntil) };
}

/** The member has entered the password again. Requests that are under way with the former token are still answered. */
export async function confirmSession(
  services: VerifyServices,
  caller: MemberCaller,
  given: Omit<GivenCredentials, 'email'>,
): Promise<SignedIn> {
  const member = await readCredentials(services.db, { id: caller.memberId });
  if (member === null) throw new AppError('invalid_token');
  await verifyCredentials(services, { ...given, email: member.email });
  const nowMs = services.clock.now().getTime();
  const confirmedUntil = new Date(nowMs + CONFIRMED_MS);
  const change = { confirmedUntil, formerUntil: new Date(nowMs + FORMER_TOKEN_MS) };
  const token = await services.db.transaction((tx) => renewSession(tx, caller.sessionId, change));
  return { token, session: await readSessionView(services, caller, confirmedUntil) };
}

export async function signOut({ db }: Pick<Services, 'db'>, caller: MemberCaller): Promise<void> {
  await db.transaction((tx) => deleteSession(tx, caller.memberId, caller.sessionId));
}

export async function listOwnSessions(
  { clock, db }: Pick<Services, 'clock' | 'db'>,
  { memberId }: MemberCaller,
): Promise<ListedSession[]> {
  const now = clock.now();
  return (await listMemberSessions(db, memberId)).filter((session) => !isSessionOver(session, now));
}

export async function endSession(
  { db }: Pick<Services, 'db'>,
  { memberId }: MemberCaller,
  sessionId: string,
): Promise<void> {
  if (!(await db.transaction((tx) => deleteSession(tx, memberId, sessionId))))
    throw notFound('Session', { session_id: sessionId });
}
