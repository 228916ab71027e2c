// Opens a session for a member who has proven who they are.

import type { AccountId } from '../../../domain/tenancy.ts';
import { hashToken } from '../../../platform/crypto/opaque-token.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { cleanAgent, toPrintable } from '../../../platform/http/clean-agent.ts';
import { newId } from '../../../platform/ids.ts';
import { insertSession, type Renewal, replaceToken, trimSessions } from './member-session-store.ts';
import { CONFIRMED_MS, mintSecret } from './session-token.ts';

/** Where a request came from. */
export type RequestOrigin = {
  readonly userAgent: string | undefined;
  readonly address: string | undefined;
  readonly requestId: string;
  /** Of an earlier session in the same browser. */
  readonly sessionCookie: string | null;
};
type OpenedSession = { readonly id: string; readonly token: string; readonly confirmedUntil: Date };

const MAX_SESSIONS = 50; // per member: every browser of several machines, and a limit for scripts that sign in each time
const MAX_ADDRESS_LENGTH = 64;

/** The password was just entered, so critical actions need no second confirmation for ten minutes. */
export async function openSession(
  tx: Transaction,
  session: {
    readonly memberId: string;
    readonly accountId: AccountId;
    readonly origin: Pick<RequestOrigin, 'address' | 'userAgent'>;
  },
  now: Date,
): Promise<OpenedSession> {
  const [id, token] = [newId<string>(), mintSecret()];
  const confirmedUntil = new Date(now.getTime() + CONFIRMED_MS);
  const { userAgent, address } = session.origin;
  await insertSession(tx, {
    id,
    tokenHash: hashToken(token),
    memberId: session.memberId,
    accountId: session.accountId,
    createdAt: now,
    lastUsedAt: now,
    confirmedUntil,
    userAgent: userAgent === undefined ? null : cleanAgent(userAgent),
    address: address === undefined ? null : toPrintable(address, MAX_ADDRESS_LENGTH),
  });
  await trimSessions(tx, session.memberId, MAX_SESSIONS);
  return { id, token, confirmedUntil };
}

/** A change of right gives the session a new token. Throws invalid_token if it ended meanwhile, or was confirmed by another call. */
export async function renewSession(
  tx: Transaction,
  sessionId: string,
  change: Partial<Omit<Renewal, 'tokenHash'>> = {},
): Promise<string> {
  const token = mintSecret();
  if (!(await replaceToken(tx, sessionId, { formerUntil: null, ...change, tokenHash: hashToken(token) })))
    throw new AppError('invalid_token');
  return token;
}
