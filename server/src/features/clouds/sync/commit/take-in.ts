// What was fetched or pushed goes in: records, raw page, the errand's progress and the backfill's, all in one transaction under
// the lock of the user. So a kill at any moment loses nothing and repeats nothing.
import type { Transaction } from '../../../../platform/db/database.ts';
import { newId } from '../../../../platform/ids.ts';
import { pack } from '../../../../platform/zstd.ts';
import { type Deletion, type IngestResult, ingest } from '../../../pipeline/ingest/index.ts';
import { listSourceDevices, recordDeviceSync, type SourceDevice } from '../../../store/devices/index.ts';
import { insertPayloads } from '../../../store/raw-payloads/index.ts';
import { changeUser, recordSync, type UserHandle } from '../../../tenancy/user-core/index.ts';
import type { Harvest } from '../fetch/harvest.ts';
import { describePage, type PagePart } from '../fetch/map-page.ts';
import { type SyncTurn, zoneOf } from '../fetch/sync-turn.ts';
import { recordProgress } from '../plan/backfill-progress.ts';
import { leaveOut, moveErrands } from '../store.ts';
import { listCleared } from './clear-span.ts';
import { gatherChange } from './gathered-changes.ts';
import { isEmptyBatch, makeBatch } from './make-batch.ts';
import { countRefused, type Refusals, refuse } from './refusals.ts';
import { spareRetold } from './spare-retold.ts';

/**
 * Harvests of one device, in the order in which they were brought. False: nothing is in, as one of the errands is another's by
 * now, or gone.
 */
export async function takeIn(turn: SyncTurn, harvests: readonly Harvest[]): Promise<boolean> {
  const { services, app, device } = turn;
  const now = services.clock.now();
  const { batch, refusals } = makeBatch(
    harvests.flatMap(({ told }) => told),
    { now, deletions: harvests.flatMap(({ deletions = [] }) => deletions) },
  );
  const isKept = services.settings.rawRetentionDays > 0;
  const packed = isKept ? await Promise.all(harvests.map(({ parts }) => packParts(parts))) : [];
  const isTaken = await changeUser(services, device.tenant, device.userId, async (tx, locked) => {
    if (locked === null) return false;
    const user = locked.handle;
    const devices = await listSourceDevices(tx, user);
    const source = devices.find(({ id }) => id === device.deviceId);
    if (source === undefined) return false;
    // Before errands are locked: whoever adds one locks the device first.
    for (const { forbidden = [] } of harvests) for (const resource of forbidden) await leaveOut(tx, device, resource);
    await advanceErrands(tx, user, harvests);
    const cleared = await listAllCleared(tx, user, source, harvests);
    const whole = { ...batch, deletions: [...spareRetold(cleared, batch), ...batch.deletions] };
    const result = isEmptyBatch(whole)
      ? null
      : await ingest(tx, user, { device: source, devices }, whole, now, gatherChange);
    if (result !== null) countTooDense(refusals, result);
    // What is taken back is brought alone.
    const kept = packed.flatMap((bytes, index) => {
      const { parts, window } = harvests[index] as Harvest;
      // With the first page of what is taken in whole: replayed, what its other pages tell comes after.
      const deletions = index === 0 ? [...cleared, ...batch.deletions] : [];
      if (parts.length + deletions.length === 0) return [];
      const context = describePage(app.provider, parts, { window, zone: zoneOf(turn), deletions });
      const kind = 'provider_page' as const;
      return [{ id: newId(), device: source.number, kind, context, receivedAt: now, packed: bytes }];
    });
    await insertPayloads(tx, user, kept);
    if (result !== null && hasArrived(result)) {
      await recordDeviceSync(tx, user, source.id, now);
      await recordSync(tx, user, now);
    }
    const step = harvests.findLast(isStepOfBackfill);
    if (step !== undefined) await recordProgress(tx, user, step.errand, now);
    return true;
  }).catch(notIfMoved);
  if (isTaken) tellRefusals(turn, harvests, refusals);
  return isTaken;
}

/** Rolls back what was begun. */
class ErrandMoved extends Error {
  override readonly name = 'ErrandMoved';
}

function notIfMoved(error: unknown): false {
  if (error instanceof ErrandMoved) return false;
  throw error;
}

async function advanceErrands(tx: Transaction, { userId }: UserHandle, harvests: readonly Harvest[]): Promise<void> {
  const byErrand = [...Map.groupBy(harvests, ({ errand }) => errand.id).values()];
  const moves = byErrand.map((steps) => ({
    errand: (steps[0] as Harvest).errand,
    next: (steps.at(-1) as Harvest).next,
    steps: steps.length,
  }));
  if (!(await moveErrands(tx, userId, moves))) throw new ErrandMoved();
}

async function listAllCleared(
  tx: Transaction,
  user: UserHandle,
  source: SourceDevice,
  harvests: readonly Harvest[],
): Promise<Deletion[]> {
  const cleared: Deletion[] = [];
  for (const { clears = null } of harvests)
    if (clears !== null) cleared.push(...(await listCleared(tx, user, source.number, clears)));
  return cleared;
}

function packParts(parts: readonly Pick<PagePart, 'bytes'>[]): Promise<Buffer> {
  const [first = new Uint8Array(0), ...others] = parts.flatMap(({ bytes }) => bytes ?? []);
  const isOne = others.length === 0;
  return pack(isOne ? Buffer.from(first.buffer, first.byteOffset, first.length) : Buffer.concat([first, ...others]));
}

/** Between two pages of a window nothing of it is to be told, but that it has begun. */
function isStepOfBackfill({ errand: { task }, next }: Harvest): boolean {
  const isFirstPage = task.kind === 'window' && task.cursor === null;
  const hasNextPage = next?.kind === 'window' && next.cursor !== null;
  return isFirstPage || !hasNextPage;
}

function countTooDense(refusals: Refusals, { refused, refusedSleep, refusedWorkouts }: IngestResult): void {
  for (const { metric, count } of refused) refuse(refusals, metric, 'too_dense', count);
  if (refusedSleep > 0) refuse(refusals, 'sleep', 'too_dense', refusedSleep);
  if (refusedWorkouts > 0) refuse(refusals, 'workout', 'too_dense', refusedWorkouts);
}

function hasArrived({ accepted, duplicates, deleted }: IngestResult): boolean {
  return accepted + duplicates + deleted > 0;
}

function tellRefusals({ services, app }: SyncTurn, harvests: readonly Harvest[], refusals: Refusals): void {
  if (refusals.size === 0) return;
  services.metrics.countRefusedRecords(app.provider.id, countRefused(refusals));
  services.log.warn(
    {
      provider: app.provider.id,
      resources: [...new Set(harvests.flatMap(({ errand: { task } }) => ('resource' in task ? task.resource : [])))],
      refused: Object.fromEntries(refusals),
    },
    'values that cannot be were left out',
  );
}
