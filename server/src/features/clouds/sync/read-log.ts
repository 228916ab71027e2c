// The log of a device's syncs, newest first, page by page.
import type { AccountCaller } from '../../../platform/http/caller.ts';
import { type CursorPage, readCursorPage } from '../../../platform/http/cursor-page.ts';
import type { Services } from '../../../platform/services.ts';
import { getDeviceOrThrow, listDevices } from '../../store/devices/index.ts';
import { getUserHandleOrThrow } from '../../tenancy/user-core/index.ts';
import { listSyncLogOfDevice, type SyncLogEntry } from './log-store.ts';

type SyncLogInput = {
  readonly userId: string;
  readonly deviceId: string;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function readSyncLog(
  { services, caller }: { services: Pick<Services, 'clock' | 'cursors' | 'db'>; caller: AccountCaller },
  input: SyncLogInput,
): Promise<CursorPage<SyncLogEntry>> {
  const { db, clock, cursors } = services;
  const user = await getUserHandleOrThrow(db, caller.tenant, input.userId);
  const device = getDeviceOrThrow(await listDevices(db, user, clock.now()), input.deviceId);
  return readCursorPage(
    cursors,
    { scope: `sync-log/${device.id}`, cursor: input.cursor, limit: input.limit },
    (position, limit) => {
      const before = position && (position[0] as string);
      return listSyncLogOfDevice(db, user, device.mergedInto ?? device.id, { before, limit });
    },
    ({ id }) => [id],
  );
}
