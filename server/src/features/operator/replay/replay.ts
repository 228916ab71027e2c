// Puts the kept payloads of a person through the present mapping again. What a phone has since corrected or taken back stays
// so: the newest payload goes first, and of each older one only what no later one speaks of. Where the mapping is the same,
// nothing changes. Adds and corrects, never takes away: what the mapping now refuses stays as it was stored.
import type { Scope } from '../../../domain/metrics/categories.ts';
import { findStart } from '../../../domain/packed/sample-blocks/sample-columns.ts';
import type { EpochMs } from '../../../domain/records/records.ts';
import type { DeviceNumber, Tenant, UserId } from '../../../domain/tenancy.ts';
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

const DAY_MS = 86_400_000;

type Replay = {
  readonly services: Services;
  readonly tenant: Tenant;
  readonly userId: UserId;
  readonly since: Date;
  readonly later: Map<DeviceNumber, Superseded>;
  readonly seen: Set<string>;
  /** Of the person's data, when new payloads were last looked for. */
  revision: number;
};

/** Payload by payload, each in a transaction of its own: uploads come in between. Begun again after a crash it does no harm. */
export async function replayUser(services: Services, tenant: Tenant, userId: UserId): Promise<void> {
  const { db, clock, settings } = services;
  const user = await openUser(db, tenant, userId);
  if (user === null) return; // deleted meanwhile
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
  // A newer program may work out days differently too.
  if (ids.length > 0) await db.transaction((tx) => enqueueRebuild(services.jobs, tx, user));
}

async function replayPayload(replay: Replay, user: UserHandle, id: string): Promise<void> {
  const payload = await readPayload(replay.services.db, user, id);
  const batch = payload && (await mapPayload(replay, payload));
  if (payload === null || batch === null) return;
  await replay.services.db.transaction(async (tx) => {
    const locked = await lockUser(tx, replay.tenant, replay.userId);
    if (!locked) return;
    await hearNewPayloads(replay, tx, locked.handle);
    const devices = await listSourceDevices(tx, locked.handle);
    const device = devices.find(({ number }) => number === payload.device);
    if (device === undefined) return; // deleted, and all its data with it
    const later = laterThan(replay, payload.device);
    const stripped = later.strip(batch);
    later.add(batch);
    await deleteElsewhere(replay, tx, locked.handle, payload.device, batch);
    const deletions = await narrowDeletions(tx, locked.handle, payload.device, stripped.deletions, later);
    await ingest(tx, locked.handle, { device, devices }, { ...stripped, deletions }, replay.services.clock.now());
  });
}

/** Null: it cannot be read any more. That is one payload's loss, not that of the others. */
async function mapPayload({ services }: Replay, payload: RawPayload): Promise<Batch | null> {
  try {
    const bytes = await unpack(payload.packed);
    return payload.kind === 'provider_page' ? mapProviderPage(payload, bytes) : mapUpload(payload, bytes);
  } catch (error) {
    const reason = error instanceof AppError ? error.code : (error as Error).name; // its message may quote the payload
    services.log.warn({ payload: payload.id, reason }, 'a raw payload cannot be replayed and is left out');
    return null;
  }
}

function mapUpload({ context, receivedAt }: RawPayload, bytes: Buffer): Batch {
  const { scopes, sources } = context as { scopes: readonly Scope[]; sources: readonly string[] };
  return parseUpload(JSON.parse(bytes.toString()), { scopes, sources, now: receivedAt }).upload;
}

/** What came in since the replay began counts already; older payloads must not overrule it. */
async function hearNewPayloads(replay: Replay, tx: Transaction, user: UserHandle): Promise<void> {
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

/** Deletions hold for the device's other installations, as they did when they came. */
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

/** An interval spares what was sent with it or after it. */
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

/** Before the first that stays, between them what is stored beside them, and after the last. */
function splitDeletion(deletion: SampleDeletion, kept: Float64Array, stored: Float64Array): Deletion[] {
  const [first, last] = [kept[0] as number, kept.at(-1) as number];
  const spared = new Set(kept);
  const between = [...stored.subarray(findStart(stored, first), findStart(stored, last))];
  const pieces: [number, number][] = [
    [deletion.start, first - 1],
    ...between.filter((start) => !spared.has(start)).map((start): [number, number] => [start, start]),
    [last + 1, deletion.end],
  ];
  return pieces.flatMap(([start, end]) =>
    start <= end ? [{ ...deletion, start: start as EpochMs, end: end as EpochMs }] : [],
  );
}
