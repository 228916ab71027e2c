// Adds a task for each record that a page names. Together with the page, so that a kill neither loses nor repeats any.
import { MAX_AHEAD_MS } from '../../../../domain/metrics/record-limits.ts';
import type { Transaction } from '../../../../platform/db/database.ts';
import type { ListedRecord } from '../../../../providers/contract.ts';
import type { SourceDevice } from '../../../store/devices/index.ts';
import { listWorkoutsByKey } from '../../../store/session-store/index.ts';
import type { UserHandle } from '../../../tenancy/user-core/index.ts';
import type { MappedPage } from '../fetch/mapped-page.ts';
import { addTasks } from '../store.ts';
import { type NewSyncTask, type SyncTask, URGENCY } from '../sync-task.ts';
import { checkWorkouts } from './check-sessions.ts';
import { differs } from './differs.ts';

export async function addListed(
  tx: Transaction,
  user: UserHandle,
  source: SourceDevice,
  { task, listed = [] }: Pick<MappedPage, 'task' | 'listed'>,
  now: Date,
): Promise<void> {
  if (listed.length === 0) return;
  const wanted = task.urgency === URGENCY.poll ? await dropUnchanged(tx, user, source, listed, now) : listed;
  const newestFirst = wanted.toSorted((one, other) => other.start - one.start);
  await addTasks(
    tx,
    task,
    newestFirst.map((record) => toTask(task, record)),
    now,
  );
}

/** The key differs from that of a webhook, which must not take a task out of a backfill. */
function toTask({ action, urgency }: SyncTask, { id, start, end, resource: named }: ListedRecord): NewSyncTask {
  const resource = named ?? ('resource' in action ? action.resource : '');
  const backfillUntil = 'backfillUntil' in action ? (action.backfillUntil ?? null) : null;
  const window = { from: start, to: end };
  return {
    action: { kind: 'one', resource, id, window, ...(backfillUntil !== null && { backfillUntil }) },
    urgency,
    dedupeKey: `listed ${resource} ${id}`,
  };
}

/** Also drops workouts that can never be stored. Edits of what no list contains, such as laps, arrive as webhooks. */
async function dropUnchanged(
  tx: Transaction,
  user: UserHandle,
  { number: device }: SourceDevice,
  listed: readonly ListedRecord[],
  now: Date,
): Promise<readonly ListedRecord[]> {
  const keys = listed.map(({ workout }) => workout.key);
  const stored = await listWorkoutsByKey(tx, user, device, keys);
  const byKey = new Map(stored.map((workout) => [workout.key, workout]));
  return listed.filter(({ workout }) => {
    const [checked] = checkWorkouts([workout], now.getTime() + MAX_AHEAD_MS, new Map());
    const known = byKey.get(workout.key);
    return checked !== undefined && (known === undefined || differs(checked, known));
  });
}
