// Isolates the failure of one task, so that the other tasks of its device continue.
import { isUnavailable } from '../../../../platform/errors.ts';
import { ProviderAnswerError } from '../../../../providers/contract.ts';
import type { SyncTask } from '../sync-task.ts';
import type { SyncFailure, SyncRun } from './sync-run.ts';

export async function guardTask<Result>(
  { services, app }: SyncRun,
  task: SyncTask,
  work: () => Promise<Result>,
): Promise<Result | SyncFailure> {
  try {
    return await work();
  } catch (error) {
    // Our own message about the provider's answer: it names fields, never values.
    if (error instanceof ProviderAnswerError) return { syncFailure: 'wrong', reason: error.message };
    if (isUnavailable(error)) throw error;
    services.log.error(
      { err: error, provider: app.provider.id, kind: task.action.kind },
      'sync task failed unexpectedly',
    );
    return { syncFailure: 'wrong', reason: 'unexpected' };
  }
}
