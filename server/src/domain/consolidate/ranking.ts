// Ranks the devices of a metric (gap G-33). The order of classes comes from the catalog.
import { DEVICE_CLASSES, type DeviceClass } from '../metrics/metric.ts';
import type { EpochMs } from '../records/records.ts';
import type { DeviceId } from '../tenancy.ts';

export type Transport = 'sdk' | 'cloud';

export type RankedDevice = {
  readonly id: DeviceId;
  readonly provider: string;
  readonly deviceClass: DeviceClass;
  readonly transport: Transport;
  readonly connectedAt: EpochMs;
  /** The cloud provider whose records a source on the phone may duplicate (`findVendor`); null or absent if none. */
  readonly vendor?: string | null;
};

type DeviceOrder = (a: RankedDevice, b: RankedDevice) => number;

/**
 * Best first, a total order: Mobile SDK sources (specification, "What the service does" 4), then the metric's ranking
 * of classes, then the other classes, then the newest connection, and the id as the last tie-break.
 */
export function compareDevices(ranking: readonly DeviceClass[]): DeviceOrder {
  const compare = compareRanks(ranking);
  return (a, b) => compare(a, b) || compareText(a.id, b.id);
}

/** The same order without the id, for callers with a better tie-break (sessions: the earlier start). */
export function compareRanks(ranking: readonly DeviceClass[]): DeviceOrder {
  const indexes = rankClasses(ranking);
  return (a, b) =>
    placeTransport(a.transport) - placeTransport(b.transport) ||
    indexes[a.deviceClass] - indexes[b.deviceClass] ||
    b.connectedAt - a.connectedAt;
}

export function rankDevices<Device extends RankedDevice>(
  ranking: readonly DeviceClass[],
  devices: Iterable<Device>,
): Device[] {
  return [...devices].sort(compareDevices(ranking));
}

/** What decides the position of a device: the first rule that separates it from its neighbour in the order. */
export const RANK_REASONS = ['only_device', 'transport', 'device_class', 'connection_time', 'id'] as const;
type RankReason = (typeof RANK_REASONS)[number];

/** Takes devices best first. The first one is compared with the second, every other one with the one before it. */
export function explainRank(ranked: readonly RankedDevice[], index: number): RankReason {
  const device = ranked[index];
  const neighbour = ranked[index === 0 ? 1 : index - 1];
  if (device === undefined || neighbour === undefined) return 'only_device';
  if (device.transport !== neighbour.transport) return 'transport';
  if (device.deviceClass !== neighbour.deviceClass) return 'device_class';
  return device.connectedAt === neighbour.connectedAt ? 'id' : 'connection_time';
}

/** Compares by code unit, because `localeCompare` depends on the machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function placeTransport(transport: Transport): number {
  return transport === 'sdk' ? 0 : 1;
}

type ClassRanks = Readonly<Record<DeviceClass, number>>;

/** Cached because it is needed for every consolidated value; the rankings are constants of the catalog. */
const known = new WeakMap<readonly DeviceClass[], ClassRanks>();

function rankClasses(ranking: readonly DeviceClass[]): ClassRanks {
  return known.getOrInsertComputed(ranking, () => {
    const order = [...new Set([...ranking, ...DEVICE_CLASSES])];
    return Object.fromEntries(order.map((name, index) => [name, index])) as Record<DeviceClass, number>;
  });
}
