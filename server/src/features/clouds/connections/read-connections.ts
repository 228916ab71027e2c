// Everything that is known about the connections of a user, for the dashboard.
import type { DeviceClass } from '../../../domain/metrics/index.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { findProvider } from '../../../providers/registry.ts';
import { type EventType, listEventsOfUser, type UserEvent } from '../../notify/events/index.ts';
import { type Device, listDevices, listSourceLabels, type SourceLabel } from '../../store/devices/index.ts';
import { getUserHandleOrThrow } from '../../tenancy/user-core/index.ts';
import { historyDaysOf, readSyncStatesOf, type SyncLogEntry, type SyncStateOfDevice } from '../sync/index.ts';
import { type AuthorizationSteps, listAuthorizationsOfUser } from './store.ts';

const NEWEST_RUNS = 12;
const NEWEST_EVENTS = 60;
const DEVICE_EVENTS: readonly EventType[] = ['device.connected', 'device.failed', 'device.backfilled'];

export type Connection = {
  readonly device: Device;
  readonly label: Pick<SourceLabel, 'number' | 'name' | 'model' | 'deviceClass' | 'transport'> | null;
  readonly providerName: string | null;
  readonly deviceClass: DeviceClass | null;
  readonly link: AuthorizationSteps | null;
  /** The first day of history that the provider can have. Null: it has none. */
  readonly limitDate: LocalDate | null;
  readonly sync: SyncStateOfDevice | null;
  readonly log: readonly SyncLogEntry[];
  readonly events: readonly UserEvent[];
};
export type Connections = { readonly zone: string | null; readonly connections: readonly Connection[] };

export async function readConnections(
  { services, caller }: { services: Pick<Services, 'clock' | 'db' | 'settings' | 'simulator'>; caller: AccountCaller },
  input: { readonly userId: string },
): Promise<Connections> {
  const { db, clock } = services;
  const now = clock.now();
  const user = await getUserHandleOrThrow(db, caller.tenant, input.userId);
  const eventsOf = (types: readonly EventType[]) =>
    listEventsOfUser(db, user, { before: null, types, limit: NEWEST_EVENTS });
  const [devices, labels, links, sync, deviceEvents, dataEvents] = await Promise.all([
    listDevices(db, user, now),
    listSourceLabels(db, user),
    listAuthorizationsOfUser(db, user),
    readSyncStatesOf(db, user, NEWEST_RUNS),
    eventsOf(DEVICE_EVENTS),
    eventsOf(['data.updated']),
  ]);
  const today = createZone(user.timezone).dayAt(now.getTime()).date;
  const events = Map.groupBy([...deviceEvents, ...dataEvents], ({ deviceId }) => deviceId);
  const connectionOf = (device: Device): Connection => {
    const provider = findProvider(device.provider);
    const label = labels.find(({ id }) => id === device.id) ?? null;
    const hasHistory = provider !== null && device.backfill !== null;
    return {
      device,
      label,
      providerName: provider?.displayName ?? null,
      deviceClass: label?.deviceClass ?? provider?.deviceClass ?? null,
      link: links.find(({ deviceId }) => deviceId === device.id) ?? null,
      limitDate: hasHistory ? addDays(today, -historyDaysOf(services, user, provider)) : null,
      sync: sync.devices.get(device.id) ?? null,
      log: sync.log.get(device.id) ?? [],
      events: (events.get(device.id as DeviceId) ?? []).toSorted((a, b) => b.position - a.position),
    };
  };
  return { zone: user.timezone, connections: devices.map(connectionOf) };
}
