// What members change about themselves: name, password and authenticator app. Each change of the way to sign in ends their other
// sessions and gives the current one a new token.
import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { MemberCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import type { Actor } from '../accounts/index.ts';
import { auditMember } from './audit-member.ts';
import { deleteResetLinks } from './link-store.ts';
import { deleteSessions } from './member-session-store.ts';
import {
  confirmTotp,
  type MemberCredentials,
  readCredentials,
  removeTotp,
  setName,
  setPassword,
  setTotp,
} from './member-store.ts';
import { renewSession } from './open-session.ts';
import { hashPassword } from './password-hash.ts';
import { requireGoodPassword } from './password-rules.ts';
import { hashRecoveryCode, mintRecoveryCodes } from './recovery-codes.ts';
import { describeTotp, TOTP_SECRET_BYTES } from './totp.ts';
import { contextOfTotp, isFreshCode, type VerifyServices, verifyCredentials } from './verify-credentials.ts';

type Context = { readonly services: VerifyServices; readonly caller: MemberCaller; readonly by: Actor };

export async function changeName({ services, caller, by }: Context, name: string): Promise<void> {
  await services.db.transaction(async (tx) => {
    await setName(tx, caller.memberId, name);
    await record(tx, { services, caller, by }, 'member.renamed', {
      before: { name: caller.memberName },
      after: { name },
    });
  });
}

/** Returns the new token of the session. */
export async function changePassword(
  { services, caller, by }: Context,
  given: {
    readonly current: string;
    readonly code?: string | undefined;
    readonly password: string;
    readonly address: string | undefined;
    readonly sessionCookie: string | null;
  },
): Promise<string> {
  const { email, name } = await getSelf(services, caller);
  requireGoodPassword(given.password, { email, name });
  const { current: password, code, address, sessionCookie } = given;
  await verifyCredentials(services, { email, password, code, address, sessionCookie });
  const passwordHash = await hashPassword(given.password);
  return services.db.transaction(async (tx) => {
    await setPassword(tx, caller.memberId, passwordHash);
    await deleteResetLinks(tx, caller.memberId);
    return renewOnly(tx, { services, caller, by }, 'member.password_changed');
  });
}

/** The app is asked for at sign-in only after `finishTotp`. */
export async function startTotp(
  services: Pick<Services, 'db' | 'secrets'>,
  caller: MemberCaller,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const { email, hasTotp, id } = await getSelf(services, caller);
  if (hasTotp) throw new AppError('totp_not_started', { message: 'Remove the current authenticator app first.' });
  const secret = randomBytes(TOTP_SECRET_BYTES);
  await services.db.transaction((tx) =>
    setTotp(tx, id, services.secrets.seal(secret.toString('base64'), contextOfTotp(id))),
  );
  return describeTotp(secret, email);
}

export async function finishTotp(
  { services, caller, by }: Context,
  code: string,
): Promise<{ readonly recoveryCodes: readonly string[]; readonly token: string }> {
  const member = await getSelf(services, caller);
  if (member.sealedTotp === null || member.hasTotp) throw new AppError('totp_not_started');
  if (!(await isFreshCode(services, member, code.replace(/\s/g, ''))))
    throw new AppError('invalid_body', {
      details: { issues: [{ path: 'code', message: 'is not the current code; check the clock of your phone' }] },
    });
  const recoveryCodes = mintRecoveryCodes();
  const token = await services.db.transaction(async (tx) => {
    const recoveryHashes = recoveryCodes.map(hashRecoveryCode);
    await confirmTotp(tx, member.id, { at: services.clock.now(), recoveryHashes });
    return renewOnly(tx, { services, caller, by }, 'member.totp_enabled');
  });
  return { recoveryCodes, token };
}

/** Returns the new token of the session. */
export async function dropTotp({ services, caller, by }: Context): Promise<string> {
  return services.db.transaction(async (tx) => {
    await removeTotp(tx, caller.memberId);
    return renewOnly(tx, { services, caller, by }, 'member.totp_disabled');
  });
}

async function getSelf({ db }: Pick<Services, 'db'>, { memberId }: MemberCaller): Promise<MemberCredentials> {
  const member = await readCredentials(db, { id: memberId });
  if (member === null) throw new AppError('invalid_token');
  return member;
}

async function renewOnly(tx: Transaction, context: Context, action: string): Promise<string> {
  const { memberId, sessionId } = context.caller;
  await deleteSessions(tx, memberId, { except: sessionId });
  await record(tx, context, action);
  return renewSession(tx, sessionId);
}

function record(
  tx: Transaction,
  { services, caller, by }: Context,
  action: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  return auditMember(tx, caller.memberId, { at: services.clock.now(), actor: by, action, details });
}
