// The first step of importing a bundle: checks whose it is, then restores the user's settings and devices.
import { findConsolidationKey } from '../../../../domain/consolidate/consolidation-keys.ts';
import {
  type ConsolidationSettings,
  isMethodAllowed,
  isSameSettings,
  NO_SETTINGS,
} from '../../../../domain/consolidate/consolidation-rules.ts';
import type { Method } from '../../../../domain/metrics/index.ts';
import type { EpochMs } from '../../../../domain/records/records.ts';
import type { DeviceId, DeviceNumber } from '../../../../domain/tenancy.ts';
import { isTimeZoneName, parseLocalDate } from '../../../../domain/time/calendar.ts';
import type { Transaction } from '../../../../platform/db/database.ts';
import { AppError } from '../../../../platform/errors.ts';
import type { Services } from '../../../../platform/services.ts';
import { recordEvent } from '../../../notify/events/index.ts';
import { enqueueRebuild } from '../../../pipeline/ingest/index.ts';
import { queueEveryDay } from '../../../pipeline/scoring/index.ts';
import { listSourceDevices, type RestoredSource, restoreSource } from '../../../store/devices/index.ts';
import { type Actor, insertAudit } from '../../../tenancy/accounts/index.ts';
import {
  advanceRevision,
  changeUser,
  type Profile,
  recordSync,
  saveConsolidation,
  type User,
  type UserHandle,
  updateUser,
  userNotFound,
} from '../../../tenancy/user-core/index.ts';
import type { LineOf } from './line-schemas.ts';

type BundleStart = {
  readonly header: LineOf<'header'>;
  readonly user: LineOf<'user'>;
  readonly devices: readonly LineOf<'device'>[];
  /** The reference of the bundle's user, if the caller confirms that it is the same person. */
  readonly confirmedReference: string | null;
};

export type StartedImport = {
  /** The id here of each device, by its number in the bundle. */
  readonly devices: ReadonlyMap<number, DeviceId>;
  /** Devices of the user that the bundle does not have. */
  readonly otherDevices: number;
};

type StartServices = Pick<Services, 'clock' | 'db' | 'derivedSecrets' | 'jobs' | 'userMutex'>;

export function startBundleImport(
  services: StartServices,
  target: UserHandle,
  start: BundleStart,
  actor: Actor,
): Promise<StartedImport> {
  const settings = readSettings(start.user);
  return changeUser(services, target.tenant, target.userId, async (tx, locked) => {
    if (!locked) throw userNotFound(target.userId);
    const { handle, user } = locked;
    requireSamePerson(handle, user, start);
    const now = services.clock.now();
    const before = await listSourceDevices(tx, handle);
    const restored = new Map<number, RestoredSource>();
    for (const line of start.devices)
      restored.set(line.device, await restoreSource(tx, handle, toDevice(line), services.derivedSecrets, now));
    const sources = [...restored.values()];
    for (const { device, isNew } of sources)
      if (isNew) await recordEvent(tx, handle, { type: 'device.connected', deviceId: device.id }, now);
    const hasNewSettings = await restoreSettings(tx, handle, user, settings);
    const isRebuilt = hasNewSettings || sources.some(({ isReclassified }) => isReclassified);
    if (isRebuilt) {
      await enqueueRebuild(services.jobs, tx, handle);
      await queueEveryDay(tx, handle, now);
    }
    if (isRebuilt || sources.some(({ isNew }) => isNew)) await advanceRevision(tx, handle);
    await insertAudit(tx, {
      ...target.tenant,
      at: now,
      actor,
      action: 'user.data_imported',
      subject: target.userId,
      userId: target.userId,
      details: { provider: 'bundle', source: start.header.user_id, devices: sources.length },
    });
    const ids = new Set(sources.map(({ device }) => device.id));
    return {
      devices: new Map([...restored].map(([number, { device }]) => [number, device.id])),
      otherDevices: before.filter(({ id }) => !ids.has(id)).length,
    };
  });
}

/** The same id or the same reference is the same person; anything else must be confirmed. */
function requireSamePerson({ userId, tenant }: UserHandle, { referenceId }: User, start: BundleStart): void {
  const { header, confirmedReference } = start;
  if (header.environment !== tenant.environment)
    throw new AppError('bundle_of_another_environment', {
      details: { bundle_environment: header.environment, environment: tenant.environment },
    });
  if (header.user_id === userId || header.reference_id === referenceId) return;
  if (confirmedReference === header.reference_id) return;
  throw new AppError('bundle_of_another_user', {
    details: { bundle_reference_id: header.reference_id, reference_id: referenceId },
  });
}

function toDevice(line: LineOf<'device'>): Parameters<typeof restoreSource>[2] {
  return {
    id: line.id as DeviceId,
    number: line.device as DeviceNumber,
    provider: line.provider,
    transport: line.transport,
    deviceClass: line.device_class,
    identity: line.identity,
    name: line.name,
    model: line.model,
    osVersion: line.os_version,
    observedZone: line.observed_zone,
    connectedAt: line.connected_at as EpochMs,
    lastSyncAt: line.last_sync_at as EpochMs | null,
  };
}

type UserSettings = {
  readonly timezone: string | null;
  readonly profile: Profile;
  readonly metadata: Readonly<Record<string, string>>;
  readonly consolidation: ConsolidationSettings;
  readonly lastSyncAt: Date | null;
};

function readSettings(line: LineOf<'user'>): UserSettings {
  const timezone = line.time_zones.at(-1)?.zone ?? null;
  if (timezone !== null && !isTimeZoneName(timezone)) throw invalid('time_zones', `${timezone} is not a time zone`);
  const profile = line.profile as Profile;
  if (profile.birth_date !== undefined && parseLocalDate(profile.birth_date) === null)
    throw invalid('profile.birth_date', 'is not a calendar day');
  return {
    timezone,
    profile,
    metadata: line.metadata,
    consolidation: readConsolidation(line.consolidation),
    lastSyncAt: typeof line.last_sync_at === 'number' ? new Date(line.last_sync_at) : null,
  };
}

function readConsolidation(settings: LineOf<'user'>['consolidation']): ConsolidationSettings {
  if (settings === null) return NO_SETTINGS;
  for (const [name, { method }] of Object.entries(settings.metrics)) {
    const key = findConsolidationKey(name);
    if (key === null || (method !== null && !isMethodAllowed(key, method as Method)))
      throw invalid(`consolidation.metrics.${name}`, 'is not a setting of this version. Update this deployment first.');
  }
  return settings as ConsolidationSettings;
}

function invalid(path: string, message: string): AppError {
  return new AppError('invalid_body', { details: { issues: [{ path, message }] } });
}

/** True if days that are stored already must be computed again. The bundle wins; other metadata of the user stays. */
async function restoreSettings(
  tx: Transaction,
  handle: UserHandle,
  user: User,
  { timezone, profile, metadata, consolidation, lastSyncAt }: UserSettings,
): Promise<boolean> {
  const { referenceId } = user;
  await updateUser(tx, handle, { referenceId, timezone, profile, metadata: { ...user.metadata, ...metadata } });
  await saveConsolidation(tx, handle, consolidation);
  if (lastSyncAt !== null) await recordSync(tx, handle, lastSyncAt);
  return (
    timezone !== user.timezone ||
    !isSameSettings(consolidation, handle.consolidation) ||
    JSON.stringify(sorted(profile)) !== JSON.stringify(sorted(user.profile))
  );
}

function sorted(profile: Profile): [string, unknown][] {
  return Object.entries(profile).sort(([one], [other]) => (one < other ? -1 : 1));
}
