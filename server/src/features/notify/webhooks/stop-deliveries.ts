// Nobody is told of a person any more: what waits is removed, and what a dispatcher has in hand is waited for.
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { awaitClaimsEnd } from './await-in-flight.ts';
import { removeDeliveries } from './delivery-store.ts';

/** Waits for what was about to be told; called once the change is committed. */
export type AwaitInFlight = () => Promise<void>;

export async function stopDeliveries(tx: Transaction, user: UserHandle): Promise<AwaitInFlight> {
  const { wereClaimed } = await removeDeliveries(tx, user);
  return wereClaimed ? awaitClaimsEnd : awaitNothing;
}

export async function awaitNothing(): Promise<void> {}
