// Cancels all that waits for webhooks, and waits for attempts that a dispatcher has in hand.
import type { Transaction } from '../../../platform/db/database.ts';
import { awaitClaimsEnd } from './await-in-flight.ts';
import { failPending } from './delivery-store.ts';
import { type AwaitInFlight, awaitNothing } from './stop-deliveries.ts';

/** Of webhooks whose lock is held. What is returned is called once it is committed. */
export async function cancelDeliveries(tx: Transaction, webhookIds: readonly string[]): Promise<AwaitInFlight> {
  const { wereClaimed } = await failPending(tx, webhookIds);
  return wereClaimed ? awaitClaimsEnd : awaitNothing;
}
