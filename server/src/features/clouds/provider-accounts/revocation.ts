// Queues the revocation of tokens at their provider. The job (connections/deauthorize.ts) carries all it needs.
import type { Static } from 'typebox';
import type { AccountId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { JobRef } from '../../../platform/jobs/job-queue.ts';
import { openPayload, sealedFields, sealPayload } from '../../../platform/jobs/sealed-payload.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import type { AccountTokens } from './connected-account.ts';

/** A GrantedAccess is sealed: with the provider's user id, and without ours. */
const payload = Type.Object({ ...sealedFields, provider: Type.String(), app_id: Type.String() });
type Revocation = Static<typeof payload>;
const PURPOSE = 'revocation';

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
  services: Pick<Services, 'jobs' | 'secrets'>,
  tx: Transaction,
  { provider, appId }: { readonly provider: string; readonly appId: string },
  access: GrantedAccess,
): Promise<void> {
  const sealed = sealPayload(services, PURPOSE, JSON.stringify(access));
  const revocation = { ...sealed, provider, app_id: appId };
  return services.jobs.enqueue<Revocation>(tx, revocationRef, revocation, { account: access.accountId });
}

export function openAccess(services: Pick<Services, 'secrets'>, revocation: Revocation): GrantedAccess {
  return JSON.parse(openPayload(services, PURPOSE, revocation)) as GrantedAccess;
}
