// Ingests generated days through the same pipeline as uploads and syncs, device by device.

import { type LivedDay, recordDays, SANDBOX_DEVICES, type SandboxDevice } from '../../../domain/sandbox/index.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { type Batch, ingest, isEmptyBatch } from '../../pipeline/ingest/index.ts';
import { listSourceDevices, recordDeviceSync } from '../../store/devices/index.ts';
import { recordSync, type UserHandle } from '../../tenancy/user-core/index.ts';
import type { PersonDevices } from './devices.ts';

/** The longest sample of these devices. */
const LONGEST_SAMPLE_MS = HOUR_MS;

export type WriteContext = {
  readonly tx: Transaction;
  readonly user: UserHandle;
  readonly devices: PersonDevices;
  readonly now: Date;
};

export async function writeDays(context: WriteContext, days: readonly LivedDay[]): Promise<void> {
  for (const device of SANDBOX_DEVICES) {
    await writeBatch(context, device, { ...recordDays(device, days), deletions: [] });
  }
}

/** Skips a device that is no longer connected. */
export async function writeBatch(
  { tx, user, devices, now }: WriteContext,
  name: SandboxDevice,
  batch: Batch,
): Promise<void> {
  const device = devices.get(name);
  if (device === undefined || isEmptyBatch(batch)) return;
  const opened = { device, devices: await listSourceDevices(tx, user) };
  const longestSampleMs = Math.max(user.longestSampleMs, LONGEST_SAMPLE_MS);
  await ingest(tx, { ...user, longestSampleMs }, opened, batch, now);
  await recordDeviceSync(tx, user, device.id, now);
  await recordSync(tx, user, now);
}
