// Reads the stored values of one day: the device values and the canonical value. For the operator only.

import { parseContributors } from '../../../domain/consolidate/day-notes.ts';
import { findMetric, metricIdOf } from '../../../domain/metrics/index.ts';
import { type Cell, dayOfMonth, type MonthSheet, monthOf } from '../../../domain/packed/month-sheets/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Services } from '../../../platform/services.ts';
import { loadDailySheets, readDeviceMonths } from '../../store/daily-store/index.ts';
import { listSourceDevices, type SourceDevice } from '../../store/devices/index.ts';
import { getUserForOperatorOrThrow } from '../../tenancy/user-core/index.ts';

type DayQuery = { readonly userId: string; readonly date: LocalDate; readonly metric: string | null };

export type InspectedCell = {
  readonly metric: string;
  /** Null: the canonical value. */
  readonly device: DeviceNumber | null;
  readonly source: SourceDevice | null;
  readonly value: number;
  /** As stored. */
  readonly note: string;
  /** For a canonical value: the devices it was consolidated from, highest rank first. */
  readonly from: readonly DeviceNumber[];
};

/** Sorted by metric; the canonical value first, then the devices. */
export async function inspectDays({ db }: Pick<Services, 'db'>, query: DayQuery): Promise<InspectedCell[]> {
  const user = await getUserForOperatorOrThrow(db, query.userId);
  const month = monthOf(query.date);
  return db.transaction(async (tx) => {
    const devices = await listSourceDevices(tx, user);
    const canonical = (await loadDailySheets(tx, user, [month])).get(month);
    const byDevice = (await readDeviceMonths(tx, user, [month])).get(month) ?? new Map<DeviceNumber, MonthSheet>();
    const cells = [
      ...listCells(canonical, query.date).map((cell) => ({
        ...cell,
        device: null,
        source: null,
        from: parseContributors(cell.note).map(({ device }) => device),
      })),
      ...[...byDevice].flatMap(([device, sheet]) =>
        listCells(sheet, query.date).map((cell) => ({
          ...cell,
          device,
          source: devices.find(({ number }) => number === device) ?? null,
          from: [],
        })),
      ),
    ];
    return cells
      .filter(({ metric }) => query.metric === null || metric === query.metric)
      .sort((one, other) => one.number - other.number || (one.device ?? -1) - (other.device ?? -1));
  });
}

function listCells(sheet: MonthSheet | undefined, date: LocalDate): (Cell & { metric: string; number: number })[] {
  return (sheet?.metrics() ?? []).flatMap((number) => {
    const cell = sheet?.get(number, dayOfMonth(date)) ?? null;
    return cell === null ? [] : [{ ...cell, metric: metricIdOf(number) ?? `#${number}`, number }];
  });
}

export function presentCell(cell: InspectedCell) {
  return {
    metric: cell.metric,
    device:
      cell.device === null
        ? null
        : {
            number: cell.device,
            id: cell.source?.id ?? null,
            provider: cell.source?.provider ?? null,
            device_class: cell.source?.deviceClass ?? null,
          },
    value: cell.value,
    unit: findMetric(cell.metric)?.unit ?? null,
    note: cell.note,
    from_devices: cell.from,
  };
}
