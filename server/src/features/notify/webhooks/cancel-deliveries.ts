// Cancels pending deliveries and returns a function that waits for deliveries that a dispatcher already claimed.
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { awaitClaimsEnd } from './await-in-flight.ts';
import { failPending } from './cancel-store.ts';
import { removeDeliveries, rescheduleWebhooks } from './delivery-store.ts';

/** Waits until no cancelled delivery can start any more. Call it after the commit. */
export type AwaitInFlight = () => Promise<void>;

export async function awaitNothing(): Promise<void> {}

/** The caller holds the locks of the webhooks. */
export async function cancelWebhookDeliveries(tx: Transaction, webhookIds: readonly string[]): Promise<AwaitInFlight> {
  const { wereClaimed } = await failPending(tx, webhookIds);
  await rescheduleWebhooks(tx, webhookIds);
  return wereClaimed ? awaitClaimsEnd : awaitNothing;
}

/** Removes the deliveries of a user that is deleted or no longer shared. */
export async function cancelUserDeliveries(tx: Transaction, user: UserHandle): Promise<AwaitInFlight> {
  const { wereClaimed } = await removeDeliveries(tx, user);
  return wereClaimed ? awaitClaimsEnd : awaitNothing;
}
