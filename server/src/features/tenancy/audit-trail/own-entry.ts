// Entries of people who read or change their own data on hosted pages. The name of the user says who, until it is erased.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { addToTrail } from './store.ts';

export type OwnCall = {
  readonly tenant: Tenant;
  readonly userId: UserId;
  readonly via: 'portal' | 'invitation';
  readonly requestId: string | null;
};

export function personOf({ tenant, via }: OwnCall) {
  const { accountId, environment } = tenant;
  return { account_id: accountId, environment, actor: 'person', actor_id: null, via };
}

/** In the transaction of the act. */
export async function addOwnAct(
  tx: Transaction,
  call: OwnCall,
  act: { readonly at: Date; readonly action: string; readonly subject: string },
): Promise<void> {
  const { userId, requestId } = call;
  await addToTrail(tx, { ...personOf(call), ...act, userId, request_id: requestId });
}
