// The end of an errand's step that brings no records.
import type { Transaction } from '../../../../platform/db/database.ts';
import { changeUser } from '../../../tenancy/user-core/index.ts';
import type { Errand, ErrandTask } from '../errand.ts';
import type { SyncTurn, Trouble } from '../fetch/sync-turn.ts';
import { recordProgress } from '../plan/backfill-progress.ts';
import { moveErrands } from '../store.ts';

/** `before`: what follows from it. It stands also where the errand is another's by now, as the provider has answered. */
export function settle(
  { services, device }: SyncTurn,
  errand: Errand,
  next: ErrandTask | null,
  before: (tx: Transaction) => Promise<void> = async () => undefined,
): Promise<Trouble | null> {
  return changeUser(services, device.tenant, device.userId, async (tx, locked): Promise<Trouble | null> => {
    if (locked === null) return { trouble: 'gone' };
    await before(tx);
    if (!(await moveErrands(tx, device.userId, [{ errand, next, steps: 1 }]))) return { trouble: 'gone' };
    await recordProgress(tx, locked.handle, errand, services.clock.now());
    return null;
  });
}
