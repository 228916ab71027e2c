// Nobody is told of a person any more: what waits is removed, and what a dispatcher has in hand is waited for.
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { awaitClaimsEnd } from './await-quiet.ts';
import { removeDeliveries } from './delivery-store.ts';

/** Waits for what was about to be told; called once the change is committed. */
export type AwaitSilence = () => Promise<void>;

export async function tellNoMore(tx: Transaction, user: UserHandle): Promise<AwaitSilence> {
  const { wereClaimed } = await removeDeliveries(tx, user);
  return wereClaimed ? awaitClaimsEnd : staySilent;
}

export async function staySilent(): Promise<void> {}
