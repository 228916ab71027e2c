// Authenticates the session cookie of a member. The session is read on every call, so that its end takes effect at once.

import { createBoundedMap } from '../../../domain/bounded-map.ts';
import { MINUTE_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import { BatchQueue } from '../../../platform/batch-queue.ts';
import { hashToken } from '../../../platform/crypto/opaque-token.ts';
import { AppError } from '../../../platform/errors.ts';
import type { AuthenticateMember } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { requireEnvironment } from '../accounts/index.ts';
import { readFormerSession, readMemberSession, touchSessions } from './member-session-store.ts';
import { isSessionOver, isWellFormedSecret } from './session-token.ts';

const TOUCH_INTERVAL_MS = MINUTE_MS;
const MAX_TOUCHED = 10_000; // entries of a minute; without an entry a session is only written more often
const GATHER_MS = SECOND_MS;
const MAX_BATCH = 500;
const MAX_RECENT_SESSIONS = 20_000; // a session that was dropped counts once against its address

/** The session knows the account, the path the environment. */
export function createAuthenticateMember(
  services: Pick<Services, 'clock' | 'db' | 'log' | 'settings'>,
): AuthenticateMember {
  const { clock, db } = services;
  const touch = createTouch(services);
  /** Ids of members by the hash of a token that was valid: calls of guessed cookies from the same address do not affect them. */
  const recentlyValid = createBoundedMap<string, string>(MAX_RECENT_SESSIONS);
  return async (token, environment, limits) => {
    if (!isWellFormedSecret(token)) throw new AppError('invalid_token');
    const [hash, now] = [hashToken(token), clock.now()];
    const key = hash.toString('base64');
    const known = recentlyValid.get(key);
    await (known === undefined ? limits.countAddress() : limits.countCaller({ kind: 'member', memberId: known }));
    const session = (await readMemberSession(db, hash)) ?? (await readFormerSession(db, hash, now));
    if (session === null || isSessionOver(session, now)) {
      recentlyValid.delete(key);
      throw new AppError('invalid_token');
    }
    recentlyValid.set(key, session.memberId);
    if (now.getTime() - session.lastUsedAt.getTime() >= TOUCH_INTERVAL_MS) touch(session.id, now);
    requireEnvironment(services, environment);
    const { memberId, memberName, role, isOperator, billing, defaultForm, confirmedUntil } = session;
    return {
      kind: 'member',
      memberId,
      memberName,
      role,
      isOperator,
      billing,
      defaultForm,
      confirmedUntil,
      sessionId: session.id,
      isConfirmed: confirmedUntil !== null && now < confirmedUntil,
      isClosed: session.closedAt !== null,
      tenant: { accountId: session.accountId, environment },
      keyId: null,
    };
  };
}

/** Writes the last use of many sessions at once, each at most once a minute. The request does not wait for it. */
function createTouch({ clock, db, log }: Pick<Services, 'clock' | 'db' | 'log'>): (id: string, now: Date) => void {
  const touchedMs = createBoundedMap<string, number>(MAX_TOUCHED);
  const queue = new BatchQueue<string, void>({
    run: async (ids) => {
      await touchSessions(db, ids, clock.now());
      return ids.map(() => undefined);
    },
    maxItems: MAX_BATCH,
    maxInFlight: 1,
    gatherMs: GATHER_MS,
  });
  return (id, now) => {
    if (now.getTime() - (touchedMs.get(id) ?? 0) < TOUCH_INTERVAL_MS) return;
    touchedMs.set(id, now.getTime());
    queue.add(id).catch((error: unknown) => {
      touchedMs.delete(id);
      log.debug({ err: error }, 'the last use of a session was not saved');
    });
  };
}
