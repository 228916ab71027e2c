// From the secret in the address of a hosted page to its attempt, or to the page that says why there is none.
import { hashToken, isWellFormedToken } from '../../../platform/crypto/opaque-token.ts';
import type { RawReply } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import { openUser } from '../../tenancy/user-core/index.ts';
import { readAsking } from './asking.ts';
import type { Attempt } from './attempt.ts';
import { SECRET_PREFIX } from './begin-connection.ts';
import { type Asking, goneLinkPage, unknownPage } from './connection-pages.ts';
import { readAttemptBySecret } from './store.ts';

export type FoundAttempt = { readonly attempt: Attempt; readonly asking: Asking };

export async function findAttempt(services: Services, secret: string): Promise<FoundAttempt | { page: RawReply }> {
  if (!isWellFormedToken(SECRET_PREFIX, secret)) return { page: { ...unknownPage(), isWrongGuess: true } };
  const attempt = await readAttemptBySecret(services.db, hashToken(secret));
  if (attempt === null) return { page: { ...goneLinkPage('unknown'), isWrongGuess: true } };
  const user = await openUser(services.db, attempt.tenant, attempt.userId);
  const asking = await readAsking(services, attempt);
  return user === null || asking === null ? { page: goneLinkPage('unknown') } : { attempt, asking };
}
