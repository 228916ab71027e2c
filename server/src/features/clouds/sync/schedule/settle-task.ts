// Ends a step of a task that has no records.
import type { Transaction } from '../../../../platform/db/database.ts';
import { changeUser } from '../../../tenancy/user-core/index.ts';
import type { SyncFailure, SyncRun } from '../fetch/sync-run.ts';
import { recordProgress } from '../plan/backfill-progress.ts';
import { moveTasks } from '../store.ts';
import type { SyncAction, SyncTask } from '../sync-task.ts';

/** `before`: further changes of the step. They are kept even if the task has moved on, because the provider has answered. */
export function settle(
  { services, device }: SyncRun,
  task: SyncTask,
  next: SyncAction | null,
  before: (tx: Transaction) => Promise<void> = async () => undefined,
): Promise<SyncFailure | null> {
  return changeUser(services, device.tenant, device.userId, async (tx, locked): Promise<SyncFailure | null> => {
    if (locked === null) return { syncFailure: 'gone' };
    await before(tx);
    if (!(await moveTasks(tx, device.userId, [{ task, next, steps: 1 }]))) return { syncFailure: 'gone' };
    await recordProgress(tx, locked.handle, task, services.clock.now());
    return null;
  });
}
