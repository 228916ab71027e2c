// Adds a task for each record that a page names. Together with the page, so that a kill neither loses nor repeats any.
import type { EpochMs } from '../../../../domain/records/records.ts';
import type { Transaction } from '../../../../platform/db/database.ts';
import type { ListedRecord } from '../../../../providers/contract.ts';
import type { SourceDevice } from '../../../store/devices/index.ts';
import { listSessionTimes } from '../../../store/session-store/index.ts';
import type { UserHandle } from '../../../tenancy/user-core/index.ts';
import type { MappedPage } from '../fetch/mapped-page.ts';
import { addTasks } from '../store.ts';
import { type NewSyncTask, type SyncTask, URGENCY } from '../sync-task.ts';

export async function addListed(
  tx: Transaction,
  user: UserHandle,
  source: SourceDevice,
  { task, listed = [] }: Pick<MappedPage, 'task' | 'listed'>,
  now: Date,
): Promise<void> {
  if (listed.length === 0) return;
  const wanted = task.urgency === URGENCY.poll ? await dropUnchanged(tx, user, source, listed) : listed;
  const newestFirst = wanted.toSorted((one, other) => other.start - one.start);
  await addTasks(
    tx,
    task,
    newestFirst.map((record) => toTask(task, record)),
    now,
  );
}

/** The key differs from that of a webhook, which must not take a task out of a backfill. */
function toTask({ action, urgency }: SyncTask, { id, start, end }: ListedRecord): NewSyncTask {
  const resource = 'resource' in action ? action.resource : '';
  const backfillUntil = 'backfillUntil' in action ? (action.backfillUntil ?? null) : null;
  const window = { from: start, to: end };
  return {
    action: { kind: 'one', resource, id, window, ...(backfillUntil !== null && { backfillUntil }) },
    urgency,
    dedupeKey: `listed ${resource} ${id}`,
  };
}

/** Edits that keep the times arrive as webhooks; a cropped workout has other times. */
async function dropUnchanged(
  tx: Transaction,
  user: UserHandle,
  { number: device }: SourceDevice,
  listed: readonly ListedRecord[],
): Promise<readonly ListedRecord[]> {
  const start = Math.min(...listed.map((record) => record.start)) as EpochMs;
  const end = (Math.max(...listed.map((record) => record.end)) + 1) as EpochMs;
  const stored = await listSessionTimes(tx, user, { kind: 'workout', device }, { start, end });
  const isStored = (record: ListedRecord) =>
    stored.some(({ key, start, end }) => key === record.id && start === record.start && end === record.end);
  return listed.filter((record) => !isStored(record));
}
