// Derives the progress of a backfill from the remaining tasks. Written with every page.
import { createZone } from '../../../../domain/time/day.ts';
import type { Transaction } from '../../../../platform/db/database.ts';
import { recordEvent } from '../../../notify/events/index.ts';
import { type Backfill, recordBackfill } from '../../../store/devices/index.ts';
import { advanceRevision, type UserHandle } from '../../../tenancy/user-core/index.ts';
import { emitChangesOf } from '../pending-changes.ts';
import { readBackfillLeft } from '../store.ts';
import { type SyncTask, URGENCY } from '../sync-task.ts';

/** Call after a task of the backfill moved, ended or was parked. */
export async function recordProgress(tx: Transaction, user: UserHandle, task: SyncTask, now: Date): Promise<void> {
  if (task.urgency !== URGENCY.backfill) return;
  const { deviceId, action } = task;
  const left = await readBackfillLeft(tx, task);
  const dateAt = (ms: number) => createZone(user.timezone).dayAt(ms).date;
  const isOfWindows = action.kind === 'window' || action.kind === 'one';
  const progress = (): Backfill => {
    const fromDate = left.completeFrom === null || left.isUntouched ? null : dateAt(left.completeFrom.getTime());
    // Requested history that has not been pushed yet is unknown: only windows that were read have a date.
    if (left.waiting > 0) return { state: 'running', fromDate: isOfWindows ? fromDate : null };
    if (left.parked > 0) return { state: 'failed', fromDate };
    const backfillUntil = 'backfillUntil' in action ? action.backfillUntil : null;
    return { state: 'done', fromDate: backfillUntil === null ? null : dateAt(backfillUntil) };
  };
  const current = progress();
  if (!(await recordBackfill(tx, user, deviceId, current))) return;
  await advanceRevision(tx, user);
  if (current.state !== 'done') return;
  await emitChangesOf(tx, user, deviceId, now);
  await recordEvent(tx, user, { type: 'device.backfilled', deviceId }, now);
}
