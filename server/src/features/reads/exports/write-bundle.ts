// Writes the portable bundle of a user (docs/bundle.md): what each device reported, so that another deployment computes the same reads.

import { createHash } from 'node:crypto';
import { NO_SETTINGS } from '../../../domain/consolidate/consolidation-rules.ts';
import { parseHrvSeries } from '../../../domain/scores/index.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import { BUNDLE_FORMAT, BUNDLE_VERSION } from '../../intake/imports/index.ts';
import { listHiddenInputs } from '../../pipeline/scoring/index.ts';
import { listDevices, listKnownSources } from '../../store/devices/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { listBundleRecords } from './bundle-records.ts';
import { listBundleSamples } from './bundle-samples.ts';
import type { Exclusions } from './exclusions.ts';
import type { ExportSource } from './export-source.ts';
import type { Pieces } from './join-pieces.ts';
import { openSharedUser } from './open-shared-user.ts';

export async function* writeBundle(
  services: Pick<Services, 'clock' | 'settings'>,
  source: ExportSource,
  exclusions: Exclusions | null,
): Pieces {
  const digest = createHash('sha256');
  let lines = 0;
  for await (const line of listLines(services, source, exclusions)) {
    const text = `${JSON.stringify(line)}\n`;
    digest.update(text);
    lines += 1;
    yield text;
  }
  await requireUnchanged(source);
  yield `${JSON.stringify({ line: 'end', lines, sha256: digest.digest('hex') })}\n`;
}

async function* listLines(
  { clock, settings }: Pick<Services, 'clock' | 'settings'>,
  source: ExportSource,
  exclusions: Exclusions | null,
): AsyncGenerator<object> {
  const { db, user } = source;
  const { id, referenceId, profile, metadata, timezone, createdAt, lastSyncAt } = (await openSharedUser(source)).user;
  yield {
    line: 'header',
    format: BUNDLE_FORMAT,
    version: BUNDLE_VERSION,
    exported_at: clock.now().getTime(),
    software: settings.version,
    user_id: id,
    reference_id: referenceId,
    environment: user.tenant.environment,
    ...(exclusions !== null && { excluded: exclusions }),
  };
  yield {
    line: 'user',
    user_id: id,
    reference_id: referenceId,
    created_at: createdAt.getTime(),
    last_sync_at: lastSyncAt?.getTime() ?? null,
    time_zones: [{ valid_from: null, zone: timezone }],
    profile,
    metadata,
    consolidation: user.consolidation === NO_SETTINGS ? null : user.consolidation,
  };
  const devices = await listBundleDevices(source, clock.now());
  yield* devices;
  const isIncluded = new Set<number>(devices.map(({ device }) => device));
  yield* await listBaselines(db, user);
  for await (const line of listBundleSamples(db, user)) if (isIncluded.has(line.device)) yield line;
  for await (const line of listBundleRecords(db, user)) if (isIncluded.has(line.device)) yield line;
}

async function listBundleDevices({ db, user, excluded }: ExportSource, now: Date) {
  const [known, listed] = await Promise.all([
    db.transaction((tx) => listKnownSources(tx, user)),
    listDevices(db, user, now),
  ]);
  const syncedAt = new Map(listed.map(({ id, lastSyncAt }) => [id, lastSyncAt]));
  return known
    .filter(({ disconnectedAt, device }) => disconnectedAt === null && !excluded.has(device.provider))
    .map(({ device, identity, name, model, osVersion, observedZone }) => ({
      line: 'device',
      device: device.number as number,
      id: device.id,
      provider: device.provider,
      transport: device.transport,
      device_class: device.deviceClass,
      identity,
      name,
      model,
      os_version: osVersion,
      observed_zone: observedZone,
      connected_at: device.connectedAt,
      last_sync_at: syncedAt.get(device.id)?.getTime() ?? null,
    }));
}

/** Sections are read one after the other: data that arrives in between would make them contradict each other. */
async function requireUnchanged(source: ExportSource): Promise<void> {
  const { handle } = await openSharedUser(source);
  if (handle.dataRevision !== source.user.dataRevision) throw new AppError('unavailable');
}

/** Inputs of scores before the first data of a sandbox user. */
async function listBaselines(db: Queryable, user: UserHandle): Promise<object[]> {
  return [...(await listHiddenInputs(db, user))].map(([date, inputs]) => ({
    line: 'baseline',
    date,
    inputs: { ...inputs, hrv: inputs.hrv.map(({ series, ms }) => ({ ...parseHrvSeries(series), ms })) },
  }));
}
