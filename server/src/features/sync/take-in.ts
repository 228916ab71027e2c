// What was fetched or pushed goes in: records, raw page, the errand's progress and the backfill's, all in one transaction under
// the lock of the user. So a kill at any moment loses nothing and repeats nothing.
import type { Transaction } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import type { FetchWindow } from '../../providers/contract.ts';
import { listSourceDevices, recordDeviceSync, type SourceDevice } from '../devices/index.ts';
import { type Batch, type Deletion, type IngestResult, ingest } from '../pipeline/index.ts';
import { insertPayload, packPayload } from '../raw-payloads/index.ts';
import { changeUser, recordSync, type UserHandle } from '../subjects/index.ts';
import { recordProgress } from './backfill-progress.ts';
import { listCleared } from './clear-span.ts';
import type { Clearing, Errand, ErrandTask } from './errand.ts';
import { isEmptyBatch } from './make-batch.ts';
import { describePage, mapPage, type PagePart } from './map-page.ts';
import { countRefused, type Refusals, refuse } from './refusals.ts';
import { advanceErrand, leaveOut } from './store.ts';
import type { SyncTurn } from './sync-turn.ts';

export type Harvest = {
  readonly parts: readonly PagePart[];
  readonly window: FetchWindow | null;
  readonly deletions?: readonly Deletion[];
  readonly clears?: Clearing | null;
  /** What is left of the errand; null: nothing. */
  readonly next: ErrandTask | null;
  readonly forbidden?: readonly string[];
};

/** False: the errand is another's by now, or gone, and so nothing happened. Throws ProviderAnswerError before anything does. */
export async function takeIn(turn: SyncTurn, errand: Errand, harvest: Harvest): Promise<boolean> {
  const { services, app, device } = turn;
  const now = services.clock.now();
  const zone = turn.zone ?? 'UTC';
  const { parts, window, deletions = [] } = harvest;
  const { batch, refusals } = mapPage(app.provider, parts, { window, zone }, now, deletions);
  const packed = services.settings.rawRetentionDays > 0 ? await packParts(parts) : null;
  const isTaken = await changeUser(services, device.tenant, device.userId, async (tx, locked) => {
    if (locked === null) return false;
    const user = locked.handle;
    const devices = await listSourceDevices(tx, user);
    const source = devices.find(({ id }) => id === device.deviceId);
    if (source === undefined || !(await advanceErrand(tx, errand, harvest.next))) return false;
    const whole = await addCleared(tx, user, source, batch, harvest.clears ?? null);
    const result = isEmptyBatch(whole) ? null : await ingest(tx, user, { device: source, devices }, whole, now);
    for (const { metric, count } of result?.refused ?? []) refuse(refusals, metric, 'too_dense', count);
    if (packed !== null && (parts.length > 0 || whole.deletions.length > 0)) {
      const context = describePage(app.provider, parts, { window, zone, deletions: whole.deletions });
      await insertPayload(tx, user, {
        id: newId(),
        device: source.number,
        kind: 'provider_page',
        context,
        receivedAt: now,
        packed,
      });
    }
    if (result !== null && hasArrived(result)) {
      await recordDeviceSync(tx, user, source.id, now);
      await recordSync(tx, user, now);
    }
    for (const resource of harvest.forbidden ?? []) await leaveOut(tx, device, resource);
    if (isStepOfBackfill(errand, harvest.next)) await recordProgress(tx, user, errand, now);
    return true;
  });
  if (isTaken) tellRefusals(turn, errand, refusals);
  return isTaken;
}

async function addCleared(
  tx: Transaction,
  user: UserHandle,
  source: SourceDevice,
  batch: Batch,
  clears: Clearing | null,
): Promise<Batch> {
  if (clears === null) return batch;
  const cleared = await listCleared(tx, user, source.number, clears);
  return { ...batch, deletions: [...cleared, ...batch.deletions] };
}

function packParts(parts: readonly PagePart[]): Promise<Buffer> {
  const [first = new Uint8Array(0), ...others] = parts.flatMap(({ bytes }) => bytes ?? []);
  const isOne = others.length === 0;
  return packPayload(
    isOne ? Buffer.from(first.buffer, first.byteOffset, first.length) : Buffer.concat([first, ...others]),
  );
}

/** Between two pages of a window nothing of it is to be told, but that it has begun. */
function isStepOfBackfill({ task }: Errand, next: ErrandTask | null): boolean {
  const isFirstPage = task.kind === 'window' && task.cursor === null;
  const hasNextPage = next?.kind === 'window' && next.cursor !== null;
  return isFirstPage || !hasNextPage;
}

function hasArrived({ accepted, duplicates, deleted }: IngestResult): boolean {
  return accepted + duplicates + deleted > 0;
}

function tellRefusals({ services, app }: SyncTurn, { task }: Errand, refusals: Refusals): void {
  if (refusals.size === 0) return;
  services.metrics.countRefusedRecords(app.provider.id, countRefused(refusals));
  services.log.warn(
    {
      provider: app.provider.id,
      resource: 'resource' in task ? task.resource : null,
      refused: Object.fromEntries(refusals),
    },
    'values that cannot be were left out',
  );
}
