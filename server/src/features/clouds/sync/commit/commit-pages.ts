// Stores fetched or pushed pages: records, raw page, progress of the task and of the backfill, in one transaction under the
// user's lock. So a kill at any moment loses nothing and repeats nothing.
import type { Transaction } from '../../../../platform/db/database.ts';
import { newId } from '../../../../platform/ids.ts';
import { pack } from '../../../../platform/zstd.ts';
import { type Deletion, type IngestResult, ingest, isEmptyBatch } from '../../../pipeline/ingest/index.ts';
import { listSourceDevices, recordDeviceSync, type SourceDevice } from '../../../store/devices/index.ts';
import { insertPayloads } from '../../../store/raw-payloads/index.ts';
import { keepsRoutes } from '../../../tenancy/accounts/index.ts';
import { changeUser, recordSync, type UserHandle } from '../../../tenancy/user-core/index.ts';
import { describePage, type PagePart } from '../fetch/map-page.ts';
import type { MappedPage } from '../fetch/mapped-page.ts';
import { type SyncRun, zoneOf } from '../fetch/sync-run.ts';
import { recordPendingChange } from '../pending-changes.ts';
import { recordProgress } from '../plan/backfill-progress.ts';
import { reportPages, type StoredPages } from '../run-report.ts';
import { moveTasks } from '../store.ts';
import { addListed } from './add-listed.ts';
import { keepResent } from './keep-resent.ts';
import { makeBatch } from './make-batch.ts';
import { countRefused, type Refusals, refuse } from './refusals.ts';
import { listInWindow, listReplacedSleeps } from './replaced-records.ts';
import { skipForbidden } from './skip-forbidden.ts';

/**
 * Commits pages of one device in the order in which they were fetched. False: nothing was stored, because one of the tasks moved
 * on or was removed.
 */
export async function commitPages(syncRun: SyncRun, mappedPages: readonly MappedPage[]): Promise<boolean> {
  const { services, app, device } = syncRun;
  const now = services.clock.now();
  const { batch, refusals } = makeBatch(
    mappedPages.flatMap(({ records }) => records),
    { now, deletions: mappedPages.flatMap(({ deletions = [] }) => deletions) },
  );
  const isKept = services.settings.rawRetentionDays > 0;
  const packed = isKept ? await Promise.all(mappedPages.map(({ parts }) => packParts(parts))) : [];
  let received: IngestResult | null = null;
  let stored: Omit<StoredPages, 'refused'> = { records: 0, metrics: [], days: [] };
  const isCommitted = await changeUser(services, device.tenant, device.userId, async (tx, locked) => {
    if (locked === null) return false;
    const user = locked.handle;
    await requireSameSetting(tx, user, mappedPages);
    const devices = await listSourceDevices(tx, user);
    const source = devices.find(({ id }) => id === device.deviceId);
    if (source === undefined) return false;
    // Before the tasks are locked, because adding a task locks the device first.
    for (const forbidden of mappedPages.flatMap((page) => page.forbidden ?? []))
      await skipForbidden(tx, device, forbidden);
    for (const page of mappedPages) await addListed(tx, user, source, page, now);
    await advanceTasks(tx, user, mappedPages);
    const reconciled = await listAllInWindows(tx, user, source, mappedPages);
    const replaced = await listReplacedSleeps(tx, user, source.number, app.provider, batch);
    const deletions = [...batch.deletions, ...replaced];
    const whole = { ...batch, deletions: [...keepResent(reconciled, batch), ...deletions] };
    const result = isEmptyBatch(whole)
      ? null
      : await ingest(tx, user, { device: source, devices }, whole, now, (tx, user, change) => {
          stored = { ...stored, metrics: change.metrics, days: change.days };
          return recordPendingChange(tx, user, change);
        });
    received = result;
    if (result !== null) {
      countTooDense(refusals, result);
      stored = { ...stored, records: result.accepted + result.deleted };
    }
    // A page with deletions is always committed alone.
    const kept = packed.flatMap((bytes, index) => {
      const { parts, window, keepsRoutes } = mappedPages[index] as MappedPage;
      // Deletions are stored with the first page of a group, so that a replay applies the other pages after them.
      const applied = index === 0 ? [...reconciled, ...deletions] : [];
      if (parts.length + applied.length === 0) return [];
      const kept = { window, zone: zoneOf(syncRun), keepsRoutes, deletions: applied };
      const context = describePage(app.provider, parts, kept);
      const kind = 'provider_page' as const;
      return [{ id: newId(), device: source.number, kind, context, receivedAt: now, packed: bytes }];
    });
    await insertPayloads(tx, user, kept);
    // A list of records that are stored already is data that arrived again.
    const hasListed = mappedPages.some(({ listed = [] }) => listed.length > 0);
    if (hasListed || (result !== null && hasArrived(result))) {
      await recordDeviceSync(tx, user, source.id, now);
      await recordSync(tx, user, now);
    }
    const step = mappedPages.findLast(isStepOfBackfill);
    if (step !== undefined) await recordProgress(tx, user, step.task, now);
    return true;
  }).catch(notIfMoved);
  if (isCommitted) {
    reportSamples(syncRun, received);
    reportRefusals(syncRun, mappedPages, refusals);
    reportPages(syncRun.report, { ...stored, refused: countRefused(refusals) });
  }
  return isCommitted;
}

/** Rolls the transaction back. */
class TaskMoved extends Error {
  override readonly name = 'TaskMoved';
}

function notIfMoved(error: unknown): false {
  if (error instanceof TaskMoved) return false;
  throw error;
}

/** Pages with positions are not stored if the account has stopped keeping routes since they were fetched: they are fetched again. */
async function requireSameSetting(
  tx: Transaction,
  { tenant }: UserHandle,
  mappedPages: readonly MappedPage[],
): Promise<void> {
  if (mappedPages.some((page) => page.keepsRoutes) && !(await keepsRoutes(tx, tenant))) throw new TaskMoved();
}

async function advanceTasks(
  tx: Transaction,
  { userId }: UserHandle,
  mappedPages: readonly MappedPage[],
): Promise<void> {
  const byTask = [...Map.groupBy(mappedPages, ({ task }) => task.id).values()];
  const moves = byTask.map((steps) => ({
    task: (steps[0] as MappedPage).task,
    next: (steps.at(-1) as MappedPage).next,
    steps: steps.length,
  }));
  if (!(await moveTasks(tx, userId, moves))) throw new TaskMoved();
}

async function listAllInWindows(
  tx: Transaction,
  user: UserHandle,
  source: SourceDevice,
  mappedPages: readonly MappedPage[],
): Promise<Deletion[]> {
  const reconciled: Deletion[] = [];
  for (const { reconciles = null } of mappedPages)
    if (reconciles !== null) reconciled.push(...(await listInWindow(tx, user, source.number, reconciles)));
  // A replay of the page must not delete them either, because they are in other pages.
  const listed = new Set(mappedPages.flatMap(({ listed = [] }) => listed.map(({ id }) => id)));
  return reconciled.filter((deletion) => deletion.kind !== 'workout' || !listed.has(deletion.key));
}

function packParts(parts: readonly Pick<PagePart, 'bytes'>[]): Promise<Buffer> {
  const [first = new Uint8Array(0), ...others] = parts.flatMap(({ bytes }) => bytes ?? []);
  const isOne = others.length === 0;
  return pack(isOne ? Buffer.from(first.buffer, first.byteOffset, first.length) : Buffer.concat([first, ...others]));
}

/** Between two pages of a window there is no progress to report, except that the window has begun. */
function isStepOfBackfill({ task: { action }, next }: MappedPage): boolean {
  const isFirstPage = action.kind === 'window' && action.cursor === null;
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

function reportSamples({ services, app }: SyncRun, received: IngestResult | null): void {
  if (received === null) return;
  services.metrics.countSamples(app.provider.id, 'accepted', received.accepted);
  services.metrics.countSamples(app.provider.id, 'duplicate', received.duplicates);
}

function reportRefusals({ services, app }: SyncRun, mappedPages: readonly MappedPage[], refusals: Refusals): void {
  if (refusals.size === 0) return;
  services.metrics.countRefusedRecords(app.provider.id, countRefused(refusals));
  services.metrics.countSamples(app.provider.id, 'rejected', countRefused(refusals));
  services.log.warn(
    {
      provider: app.provider.id,
      resources: [
        ...new Set(mappedPages.flatMap(({ task: { action } }) => ('resource' in action ? action.resource : []))),
      ],
      refused: Object.fromEntries(refusals),
    },
    'dropped out-of-range provider values',
  );
}
