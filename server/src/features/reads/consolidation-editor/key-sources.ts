// The sources of a consolidation key: which devices have values of it, in which order they rank, and whether they differ. Pure.
import type { ConsolidationKey } from '../../../domain/consolidate/consolidation-keys.ts';
import { explainRank, type RankedDevice, rankDevices } from '../../../domain/consolidate/ranking.ts';
import { type Metric, metricNumberOf } from '../../../domain/metrics/index.ts';
import { MAX_DAYS, type MonthNumber, type MonthSheet } from '../../../domain/packed/month-sheets/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';

type Source = RankedDevice & { readonly number: DeviceNumber };
type DeviceSheets = ReadonlyMap<MonthNumber, ReadonlyMap<DeviceNumber, MonthSheet>>;

export type KeySource = {
  readonly device: Source;
  readonly rankReason: ReturnType<typeof explainRank>;
  /** Rank of the device class for the key's first metric; 0: not listed. */
  readonly classRank: number;
};

/** Best first. A group ranks by its first metric. */
export function listKeySources(
  { metrics }: Pick<ConsolidationKey, 'metrics'>,
  devices: readonly Source[],
  sheets: DeviceSheets,
): KeySource[] {
  const ranking = metrics[0]?.ranking ?? [];
  const reporting = devices.filter(({ number }) => metrics.some((metric) => hasValues(sheets, number, metric)));
  return rankDevices(ranking, reporting).map((device, index, ranked) => ({
    device,
    rankReason: explainRank(ranked, index),
    classRank: ranking.indexOf(device.deviceClass) + 1,
  }));
}

function hasValues(sheets: DeviceSheets, device: DeviceNumber, metric: Metric): boolean {
  const number = metricNumberOf(metric.id);
  return sheets.values().some((ofDevices) => ofDevices.get(device)?.columns.has(number) ?? false);
}

/** Whether two devices have different values on the same day. */
export function hasDifferences({ metrics }: Pick<ConsolidationKey, 'metrics'>, sheets: DeviceSheets): boolean {
  return sheets.values().some((ofDevices) => metrics.some((metric) => differsInMonth([...ofDevices.values()], metric)));
}

function differsInMonth(sheets: readonly MonthSheet[], metric: Metric): boolean {
  const number = metricNumberOf(metric.id);
  const reporting = sheets.filter(({ columns }) => columns.has(number));
  if (reporting.length < 2) return false;
  for (let day = 1; day <= MAX_DAYS; day += 1) {
    const values = reporting.flatMap((sheet) => sheet.get(number, day)?.value ?? []);
    if (new Set(values).size > 1) return true;
  }
  return false;
}
