// Rotates credentials. Tolerates a lost reply; reuse of a token that was rotated out revokes the session.
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import { requireEnvironment, requireOpenAccount } from '../accounts/index.ts';
import {
  type Credentials,
  presentableCredentials,
  type RenewedSession,
  reissueCredentials,
  rotateCredentials,
} from './credentials.ts';
import { judgeRefresh, PREFIXES } from './sdk-session.ts';
import { lockSession, saveSession } from './store.ts';

export async function refreshCredentials(
  { services }: { services: Pick<Services, 'clock' | 'db' | 'log' | 'sdkTokens' | 'settings'> },
  input: { refreshToken: string },
): Promise<Credentials> {
  const token = services.sdkTokens.decode(PREFIXES.refresh, input.refreshToken);
  if (!token) throw new AppError('invalid_token');
  const now = services.clock.now();
  const renewed = await services.db.transaction(async (tx): Promise<RenewedSession | null> => {
    const owner = await lockSession(tx, token.id);
    if (!owner) return null;
    requireEnvironment(services, owner.environment);
    const verdict = judgeRefresh(owner.session, token.version, now);
    if (verdict === 'refused') return null;
    requireOpenAccount(owner);
    if (verdict === 'reused') {
      // Committed although the call fails: a copied token becomes useless, and the app requests a new session.
      await saveSession(tx, { ...owner.session, status: 'revoked' });
      services.log.warn({ session: owner.session.id }, 'refresh token reused after rotation; session revoked');
      return null;
    }
    const session =
      verdict === 'rotate' ? rotateCredentials(owner.session, now) : reissueCredentials(owner.session, now);
    await saveSession(tx, session);
    return session;
  });
  if (!renewed) throw new AppError('invalid_token');
  return presentableCredentials(services, renewed);
}
