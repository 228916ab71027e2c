// A provider may name a new record before all of it can be read: the available part is stored, and the record is requested again.
import { MINUTE_MS } from '../../../../domain/time/durations.ts';
import { findResource, type SyncRun } from '../fetch/sync-run.ts';
import { postponeTask } from '../store.ts';
import { type SyncTask, URGENCY } from '../sync-task.ts';

/** After 1, 5, 21 and 85 minutes, and almost six hours. Then the record counts as complete. */
const MAX_REQUESTS = 5;
const FIRST_WAIT_MS = MINUTE_MS;
const WAIT_FACTOR = 4;

/** Records of a backfill are old enough to be complete. */
export function mayComeLater({ app }: SyncRun, { urgency, attempts }: SyncTask, missing: readonly string[]): boolean {
  if (urgency === URGENCY.backfill || attempts >= MAX_REQUESTS) return false;
  return missing.some((name) => findResource(app.provider, name)?.comesLater === true);
}

/** After the step was committed. If the process is killed in between, the record is requested again at once. */
export async function requestLater({ services }: SyncRun, task: SyncTask): Promise<void> {
  const { db, clock } = services;
  const dueAt = new Date(clock.now().getTime() + FIRST_WAIT_MS * WAIT_FACTOR ** task.attempts);
  const stored = { ...task, step: task.step + 1 };
  await postponeTask(db, stored, { dueAt, attempts: task.attempts + 1, parkedAt: null });
}
