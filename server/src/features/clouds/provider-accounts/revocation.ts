// Queues the revocation of tokens at their provider. The job (connections/deauthorize.ts) carries all it needs.
import type { Static } from 'typebox';
import type { AccountId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { JobRef } from '../../../platform/jobs/job-queue.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import type { AccountTokens } from './connected-account.ts';

/** Job rows are visible to anybody who can read the database, so the provider's user id is sealed and ours is omitted. */
const payload = Type.Object({
  id: Type.String({ description: 'unique per revocation; `sealed` opens only with it' }),
  provider: Type.String(),
  app_id: Type.String(),
  sealed: Type.String({ description: 'base64 of a sealed GrantedAccess' }),
});
type Revocation = Static<typeof payload>;

export type GrantedAccess = AccountTokens & {
  readonly accountId: AccountId;
  readonly providerUserId: string;
  /** The tokens were just refreshed: another refresh would not help. */
  readonly isRefreshed: boolean;
};

export const revocationRef = {
  name: 'deauthorize_account',
  payload,
  maxAttempts: 25, // about four days; the provider then keeps a consent that we can no longer use
} satisfies JobRef<Revocation>;

export function enqueueRevocation(
  { secrets, jobs }: Pick<Services, 'jobs' | 'secrets'>,
  tx: Transaction,
  { provider, appId }: { readonly provider: string; readonly appId: string },
  access: GrantedAccess,
): Promise<void> {
  const id = newId<string>();
  const sealed = secrets.seal(JSON.stringify(access), contextOf(id)).toString('base64');
  return jobs.enqueue<Revocation>(tx, revocationRef, { id, provider, app_id: appId, sealed });
}

export function openAccess(secrets: Services['secrets'], { id, sealed }: Revocation): GrantedAccess {
  return JSON.parse(secrets.open(Buffer.from(sealed, 'base64'), contextOf(id))) as GrantedAccess;
}

function contextOf(id: string): string {
  return `revocation ${id}`;
}
