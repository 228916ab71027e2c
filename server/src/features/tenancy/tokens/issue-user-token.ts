// Issues user tokens: JWTs for one user, read-only, valid for one hour.
import type { UserId } from '../../../domain/tenancy.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import { getUserHandleOrThrow } from '../user-core/index.ts';

export type IssuedToken = { readonly token: string; readonly userId: UserId; readonly expiresAt: Date };

export const USER_TOKEN_MS = HOUR_MS;

export async function issueUserToken(
  { services, caller }: { services: Pick<Services, 'clock' | 'db' | 'signer'>; caller: AccountCaller },
  input: { userId: string },
): Promise<IssuedToken> {
  const { userId, tenant, unsharedAt } = await getUserHandleOrThrow(services.db, caller.tenant, input.userId);
  // JWT times have whole seconds; rounded here so that `expires_at` equals the `exp` claim.
  const issuedAt = new Date(Math.floor(services.clock.now().getTime() / 1000) * 1000);
  const expiresAt = new Date(issuedAt.getTime() + USER_TOKEN_MS);
  const claims = {
    subject: userId,
    tokenId: newId<string>(),
    accountId: tenant.accountId,
    environment: tenant.environment,
    keyId: caller.keyId,
    sharedAfterMs: unsharedAt?.getTime() ?? 0,
  };
  return { token: await services.signer.sign(claims, { issuedAt, expiresAt }), userId, expiresAt };
}
