// Replays the stored payloads of a user through the current mapping. Later corrections and deletions are kept: the newest
// payload goes first, and of older payloads only records that no later payload contains. If the mapping did not change,
// nothing changes. A replay adds and corrects but never deletes: records that the mapping now rejects stay stored.

import type { Scope } from '../../../domain/metrics/categories.ts';
import { findStart } from '../../../domain/packed/sample-blocks/sample-columns.ts';
import type { EpochMs } from '../../../domain/records/records.ts';
import type { DeviceNumber, Tenant, UserId } from '../../../domain/tenancy.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import { unpack } from '../../../platform/zstd.ts';
import { mapProviderPage } from '../../clouds/sync/index.ts';
import { parseUpload } from '../../intake/uploads/index.ts';
import { type Batch, type Deletion, enqueueRebuild, ingest } from '../../pipeline/ingest/index.ts';
import { listOtherInstallations, listSourceDevices } from '../../store/devices/index.ts';
import { listPayloadIds, type RawPayload, readPayload } from '../../store/raw-payloads/index.ts';
import { readSamples } from '../../store/samples/index.ts';
import { lockUser, openUser, type UserHandle } from '../../tenancy/user-core/index.ts';
import { createSuperseded, type Superseded } from './superseded.ts';

type Replay = {
  readonly services: Pick<Services, 'clock' | 'db' | 'log' | 'settings' | 'threads'>;
  readonly tenant: Tenant;
  readonly userId: UserId;
  readonly since: Date;
  readonly later: Map<DeviceNumber, Superseded>;
  readonly seen: Set<string>;
  /** The user's data revision when new payloads were last read. */
  revision: number;
};

/** One transaction per payload, so that uploads can run in between. Restarting it after a crash is safe. */
export async function replayUser(
  services: Pick<Services, 'clock' | 'db' | 'jobs' | 'log' | 'settings' | 'threads'>,
  tenant: Tenant,
  userId: UserId,
): Promise<void> {
  const { db, clock, settings } = services;
  const user = await openUser(db, tenant, userId);
  if (user === null) return; // deleted in the meantime
  const replay: Replay = {
    services,
    tenant,
    userId,
    since: new Date(clock.now().getTime() - settings.rawRetentionDays * DAY_MS),
    later: new Map(),
    seen: new Set(),
    revision: user.dataRevision,
  };
  const ids = settings.rawRetentionDays === 0 ? [] : await listPayloadIds(db, user, replay.since);
  for (const id of ids) replay.seen.add(id);
  for (const id of ids) await replayPayload(replay, user, id);
  // A newer version may also compute days differently.
  if (ids.length > 0) await db.transaction((tx) => enqueueRebuild(services.jobs, tx, user));
}

async function replayPayload(replay: Replay, user: UserHandle, id: string): Promise<void> {
  const payload = await readPayload(replay.services.db, user, id);
  const batch = payload && (await mapPayload(replay, payload));
  if (payload === null || batch === null) return;
  await replay.services.db.transaction(async (tx) => {
    const locked = await lockUser(tx, replay.tenant, replay.userId);
    if (!locked) return;
    await addNewPayloads(replay, tx, locked.handle);
    const devices = await listSourceDevices(tx, locked.handle);
    const device = devices.find(({ number }) => number === payload.device);
    if (device === undefined) return; // the device and its data were deleted
    const later = laterThan(replay, payload.device);
    const stripped = later.strip(batch);
    later.add(batch);
    await deleteElsewhere(replay, tx, locked.handle, payload.device, batch);
    const deletions = await narrowDeletions(tx, locked.handle, payload.device, stripped.deletions, later);
    await ingest(tx, locked.handle, { device, devices }, { ...stripped, deletions }, replay.services.clock.now());
  });
}

/** Null: the payload cannot be read; the others are replayed anyway. */
async function mapPayload({ services, tenant }: Replay, payload: RawPayload): Promise<Batch | null> {
  try {
    const bytes = await unpack(payload.packed);
    return payload.kind === 'provider_page'
      ? await mapProviderPage(services, tenant.accountId, payload, bytes)
      : mapUpload(payload, bytes);
  } catch (error) {
    const reason = error instanceof AppError ? error.code : (error as Error).name; // not the message, which may quote the payload
    services.log.warn({ payload: payload.id, reason }, 'skipped a raw payload that cannot be replayed');
    return null;
  }
}

function mapUpload({ context, receivedAt }: RawPayload, bytes: Buffer): Batch {
  const { scopes, sources } = context as { scopes: readonly Scope[]; sources: readonly string[] };
  return parseUpload(JSON.parse(bytes.toString()), { scopes, sources, now: receivedAt }).upload;
}

/** Registers payloads that arrived since the replay started, so that older payloads do not override them. */
async function addNewPayloads(replay: Replay, tx: Transaction, user: UserHandle): Promise<void> {
  if (user.dataRevision === replay.revision) return;
  replay.revision = user.dataRevision;
  for (const id of await listPayloadIds(tx, user, replay.since)) {
    if (replay.seen.has(id)) continue;
    replay.seen.add(id);
    const payload = await readPayload(tx, user, id);
    const batch = payload && (await mapPayload(replay, payload));
    if (payload === null || batch === null) continue;
    laterThan(replay, payload.device).add(batch);
    await deleteElsewhere(replay, tx, user, payload.device, batch);
  }
}

/** Applies deletions to the device's other installations, as when they were received. */
async function deleteElsewhere(
  replay: Replay,
  tx: Transaction,
  user: UserHandle,
  device: DeviceNumber,
  { deletions }: Batch,
): Promise<void> {
  if (deletions.length === 0) return;
  const nothing = { samples: new Map(), daily: [], sleep: [], workouts: [] };
  for (const { number } of await listOtherInstallations(tx, user, device))
    laterThan(replay, number).add({ ...nothing, deletions });
}

function laterThan({ later }: Replay, device: DeviceNumber): Superseded {
  return later.getOrInsertComputed(device, createSuperseded);
}

type SampleDeletion = Extract<Deletion, { kind: 'samples' }>;

/** Narrows deletion intervals so that they keep samples sent with them or later. */
async function narrowDeletions(
  tx: Transaction,
  user: UserHandle,
  device: DeviceNumber,
  deletions: readonly Deletion[],
  later: Superseded,
): Promise<Deletion[]> {
  const planned = deletions.map((deletion) => {
    if (deletion.kind !== 'samples') return { deletion, kept: null };
    const kept = later.keptStarts(deletion.metric, deletion.start, deletion.end);
    return { deletion, kept: kept.length === 0 ? null : kept };
  });
  const requests = planned.flatMap(({ deletion, kept }) =>
    deletion.kind !== 'samples' || kept === null
      ? []
      : [{ metric: deletion.metric, fromMs: kept[0] as number, toMs: (kept.at(-1) as number) + 1 }],
  );
  const stored = requests.length === 0 ? null : await readSamples(tx, user, requests);
  return planned.flatMap(({ deletion, kept }) => {
    if (deletion.kind !== 'samples' || kept === null) return [deletion];
    return splitDeletion(deletion, kept, stored?.get(deletion.metric)?.get(device)?.starts ?? new Float64Array(0));
  });
}

/** Splits the interval: before the first kept sample, single stored samples between kept ones, and after the last. */
function splitDeletion(deletion: SampleDeletion, kept: Float64Array, stored: Float64Array): Deletion[] {
  const [first, last] = [kept[0] as number, kept.at(-1) as number];
  const keptStarts = new Set(kept);
  const between = [...stored.subarray(findStart(stored, first), findStart(stored, last))];
  const pieces: [number, number][] = [
    [deletion.start, first - 1],
    ...between.filter((start) => !keptStarts.has(start)).map((start): [number, number] => [start, start]),
    [last + 1, deletion.end],
  ];
  return pieces.flatMap(([start, end]) =>
    start <= end ? [{ ...deletion, start: start as EpochMs, end: end as EpochMs }] : [],
  );
}
