// The state of a user's syncs, per device: how far the history is fetched, what is skipped, parked or waiting, and the newest
// runs.
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { listSyncedDevices } from './device-store.ts';
import { listNewestSyncLog, type SyncLogEntry } from './log-store.ts';
import { listOpenTasks } from './store.ts';
import { type SyncedDevice, URGENCY } from './sync-task.ts';

export type SyncStateOfDevice = Pick<
  SyncedDevice,
  'nextPollAt' | 'polledTo' | 'backoffUntil' | 'failures' | 'skippedResources'
> & {
  /** Resources whose history is not complete. `reached` null: not begun. */
  readonly resources: readonly { readonly name: string; readonly reached: Date | null; readonly target: Date }[];
  readonly parked: readonly { readonly resource: string | null; readonly since: Date }[];
};

type SyncStates = {
  readonly devices: ReadonlyMap<DeviceId, SyncStateOfDevice>;
  readonly log: ReadonlyMap<DeviceId, readonly SyncLogEntry[]>;
};

export async function readSyncStatesOf(db: Queryable, user: UserHandle, newestRuns: number): Promise<SyncStates> {
  const [synced, tasks, log] = await Promise.all([
    listSyncedDevices(db, user),
    listOpenTasks(db, user),
    listNewestSyncLog(db, user, newestRuns),
  ]);
  const stateOf = (device: SyncedDevice): SyncStateOfDevice => {
    const ofDevice = tasks.filter(({ deviceId }) => deviceId === device.deviceId);
    return {
      ...device,
      resources: ofDevice.flatMap(({ urgency, resource, windowTo, backfillUntil, createdAt, parkedAt }) => {
        const isBackfill = urgency === URGENCY.backfill && parkedAt === null;
        if (!isBackfill || resource === null || backfillUntil === null) return [];
        const reached = windowTo === null || windowTo >= createdAt ? null : windowTo;
        return [{ name: resource, reached, target: backfillUntil }];
      }),
      parked: ofDevice.flatMap(({ resource, parkedAt }) => (parkedAt === null ? [] : [{ resource, since: parkedAt }])),
    };
  };
  return {
    devices: new Map(synced.map((device) => [device.deviceId, stateOf(device)])),
    log: Map.groupBy(log, ({ deviceId }) => deviceId),
  };
}
