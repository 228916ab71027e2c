// How far a backfill has come, seen from what is left of it. Written with every page.
import { createZone } from '../../../../domain/time/day.ts';
import type { Transaction } from '../../../../platform/db/database.ts';
import { recordEvent } from '../../../notify/events/index.ts';
import { type Backfill, recordBackfill } from '../../../store/devices/index.ts';
import { advanceRevision, type UserHandle } from '../../../tenancy/user-core/index.ts';
import { tellChangesOf } from '../commit/gathered-changes.ts';
import { type Errand, URGENCY } from '../errand.ts';
import { readBackfillLeft } from '../store.ts';

/** After an errand of the backfill moved, ended or was set aside. */
export async function recordProgress(tx: Transaction, user: UserHandle, errand: Errand, now: Date): Promise<void> {
  if (errand.urgency !== URGENCY.backfill) return;
  const { deviceId, task } = errand;
  const left = await readBackfillLeft(tx, errand);
  const dateAt = (ms: number) => createZone(user.timezone).dayAt(ms).date;
  const progress = (): Backfill => {
    const fromDate = left.completeFrom === null || left.isUntouched ? null : dateAt(left.completeFrom.getTime());
    // What was asked for and is on its way is not here: only of windows that were read is it known.
    if (left.waiting > 0) return { state: 'running', fromDate: task.kind === 'window' ? fromDate : null };
    if (left.setAside > 0) return { state: 'failed', fromDate };
    const walksTo = 'walksTo' in task ? task.walksTo : null;
    return { state: 'done', fromDate: walksTo === null ? null : dateAt(walksTo) };
  };
  const told = progress();
  if (!(await recordBackfill(tx, user, deviceId, told))) return;
  await advanceRevision(tx, user);
  if (told.state !== 'done') return;
  await tellChangesOf(tx, user, deviceId, now);
  await recordEvent(tx, user, { type: 'device.backfilled', deviceId }, now);
}
