// Checks the password of a member and, if the member uses an authenticator app, a code. Wrong password, wrong code and unknown
// email get the same answer after the same time.
import { hashToken } from '../../../platform/crypto/opaque-token.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import { countSignIn } from './attempt-limits.ts';
import { readMemberSession } from './member-session-store.ts';
import {
  holdCredentials,
  type MemberCredentials,
  readCredentials,
  renewPasswordHash,
  useRecoveryCode,
  useTotpStep,
} from './member-store.ts';
import { checkNoPassword, hashPassword, isOutdated, isPassword } from './password-hash.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { isWellFormedSecret } from './session-token.ts';
import { findStep, looksLikeCode } from './totp.ts';

export type GivenCredentials = {
  readonly email: string;
  readonly password: string;
  /** Of the authenticator app, or a recovery code. */
  readonly code?: string | undefined;
  readonly address: string | undefined;
  /** The session cookie of the browser, whose session may be over. */
  readonly sessionCookie: string | null;
};
export type VerifyServices = Pick<Services, 'clock' | 'db' | 'secrets'>;

/** Throws invalid_credentials, code_required or rate_limited. */
export async function verifyCredentials(services: VerifyServices, given: GivenCredentials): Promise<MemberCredentials> {
  const email = normalizeEmail(given.email);
  const member = await readCredentials(services.db, { email });
  const session = await findSession(services, given.sessionCookie);
  const knownSession = session !== null && session.memberId === member?.id ? session.id : null;
  const attempt = await countSignIn(services, { email, address: given.address, knownSession });
  const queue = knownSession === null ? 'anyone' : 'known browsers';
  if (member === null) await checkNoPassword(given.password);
  if (member === null || !(await isPassword(member.passwordHash, given.password, queue)))
    throw new AppError('invalid_credentials');
  if (member.hasTotp) {
    if (given.code === undefined) {
      await attempt.takeBack();
      throw new AppError('code_required');
    }
    if (!(await isSecondFactor(services, member, given.code))) throw new AppError('invalid_credentials');
  }
  await attempt.succeed();
  return isOutdated(member.passwordHash) ? renewHash(services, member, given.password) : member;
}

function findSession({ db }: VerifyServices, cookie: string | null) {
  return cookie !== null && isWellFormedSecret(cookie) ? readMemberSession(db, hashToken(cookie)) : null;
}

async function renewHash(
  { db }: Pick<Services, 'db'>,
  member: MemberCredentials,
  password: string,
): Promise<MemberCredentials> {
  const passwordHash = await hashPassword(password);
  if (await renewPasswordHash(db, member, passwordHash)) return { ...member, passwordHash };
  const current = await readCredentials(db, { id: member.id }); // a parallel call renewed the hash, or the password is another one
  if (current === null || !(await isPassword(current.passwordHash, password)))
    throw new AppError('invalid_credentials');
  return { ...member, passwordHash: current.passwordHash };
}

/** In the transaction that opens a session: a change of the credentials since they were checked has ended all sessions. */
export async function requireSameCredentials(
  tx: Transaction,
  member: Pick<MemberCredentials, 'id' | 'passwordHash' | 'hasTotp'>,
): Promise<void> {
  if (!(await holdCredentials(tx, member))) throw new AppError('invalid_credentials');
}

export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

async function isSecondFactor(services: VerifyServices, member: MemberCredentials, code: string): Promise<boolean> {
  const digits = code.replace(/\s/g, '');
  return looksLikeCode(digits)
    ? isFreshCode(services, member, digits)
    : useRecoveryCode(services.db, member.id, hashRecoveryCode(code));
}

/** Of parallel calls with the same code one succeeds. */
export async function isFreshCode(
  { clock, db, secrets }: VerifyServices,
  member: Pick<MemberCredentials, 'id' | 'sealedTotp' | 'totpStep'>,
  code: string,
): Promise<boolean> {
  if (member.sealedTotp === null) return false;
  const secret = Buffer.from(secrets.open(member.sealedTotp, contextOfTotp(member.id)), 'base64');
  const step = findStep(secret, code, clock.now(), member.totpStep);
  return step !== null && useTotpStep(db, member.id, step);
}

export function contextOfTotp(memberId: string): string {
  return `TOTP of member ${memberId}`;
}
