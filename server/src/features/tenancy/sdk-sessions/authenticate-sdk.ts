// Authenticates an SDK access token. Reads the session on every call, so that a revocation takes effect immediately.
import { AppError } from '../../../platform/errors.ts';
import type { LookUpLimits, SdkSessionCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { requireEnvironment, requireOpenAccount } from '../accounts/index.ts';
import { judgeAccess, PREFIXES } from './sdk-session.ts';
import { markCredentialUsed, readSdkSession } from './store.ts';

export function looksLikeSdkToken(token: string): boolean {
  return token.startsWith(PREFIXES.access);
}

export async function authenticateSdk(
  services: Pick<Services, 'clock' | 'db' | 'sdkTokens' | 'settings'>,
  text: string,
  limits: LookUpLimits,
): Promise<SdkSessionCaller> {
  const token = services.sdkTokens.decode(PREFIXES.access, text);
  if (!token) throw new AppError('invalid_token');
  await limits.countCaller({ kind: 'sdk_session', sessionId: token.id });
  const owner = await readSdkSession(services.db, token.id);
  if (!owner) throw new AppError('invalid_token');
  requireEnvironment(services, owner.environment);
  const { session } = owner;
  const now = services.clock.now();
  const verdict = judgeAccess(session, token.version, now);
  if (verdict === 'expired') throw new AppError('token_expired');
  if (verdict === 'refused') throw new AppError('invalid_token');
  requireOpenAccount(owner);
  if (token.version === session.credentialVersion && session.credentialUsedAt === null)
    await markCredentialUsed(services.db, session.id, session.credentialVersion, now);
  return {
    kind: 'sdk_session',
    sessionId: session.id,
    sessionCreatedAt: session.createdAt,
    installationId: session.installationId,
    tenant: { accountId: owner.accountId, environment: owner.environment },
    userId: session.userId,
    scopes: session.scopes,
    sources: session.sources,
    defaultForm: owner.defaultForm,
  };
}
