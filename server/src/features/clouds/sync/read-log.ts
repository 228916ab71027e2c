// The log of a device's syncs, newest first, page by page.
import { notFound } from '../../../platform/errors.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { listDevices } from '../../store/devices/index.ts';
import { getUserHandleOrThrow } from '../../tenancy/user-core/index.ts';
import { listSyncLogOfDevice, type SyncLogEntry } from './log-store.ts';

type SyncLogInput = {
  readonly userId: string;
  readonly deviceId: string;
  readonly cursor: string | null;
  readonly limit: number;
};
export type SyncLogPage = { readonly entries: readonly SyncLogEntry[]; readonly nextCursor: string | null };

export async function readSyncLog(
  { services, caller }: { services: Pick<Services, 'clock' | 'cursors' | 'db'>; caller: AccountCaller },
  input: SyncLogInput,
): Promise<SyncLogPage> {
  const { db, clock, cursors } = services;
  const user = await getUserHandleOrThrow(db, caller.tenant, input.userId);
  const wanted = input.deviceId.toLowerCase();
  const device = (await listDevices(db, user, clock.now())).find(({ id }) => id === wanted);
  if (device === undefined) throw notFound('Device', { device_id: input.deviceId });
  const scope = `sync-log/${device.id}`;
  const before = input.cursor === null ? null : (cursors.decode(scope, input.cursor)[0] as string);
  const rows = await listSyncLogOfDevice(db, user, device.mergedInto ?? device.id, { before, limit: input.limit + 1 });
  const entries = rows.slice(0, input.limit);
  const last = entries.at(-1);
  return { entries, nextCursor: rows.length > input.limit && last ? cursors.encode(scope, [last.id]) : null };
}
