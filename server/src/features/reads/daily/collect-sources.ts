// Collects the sources of each value of a column: the contributors that the daily sheet names, with the values that it names or
// those of the device sheets. Pure.
import { type Contributor, parseContributors, parseDeviceDayNote } from '../../../domain/consolidate/day-notes.ts';
import { type Metric, metricNumberOf } from '../../../domain/metrics/index.ts';
import { MAX_DAYS, type OpenedSheet, readNotes, readValues } from '../../../domain/packed/month-sheets/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { DailyMonthsWithDevices } from '../../store/daily-store/index.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import { COMPUTED_PROVIDER } from '../shared/index.ts';
import type { MonthPart } from './collect-series.ts';
import type { DaySource } from './daily-read-model.ts';

type SourceDevices = ReadonlyMap<DeviceNumber, SourceDevice>;

/**
 * One list per date, highest rank first. Skips contributors that were deleted between the queries of values and devices.
 */
export function collectSources(
  months: DailyMonthsWithDevices,
  devices: SourceDevices,
  parts: readonly MonthPart[],
  metric: Metric,
  values: Float64Array | null,
): (readonly DaySource[])[] {
  const sources: (readonly DaySource[])[] = [];
  for (const { month, firstDay, days, index: position } of parts) {
    const daily = months.daily.get(month);
    const notes = daily === undefined ? [] : readNotes(daily, metricNumberOf(metric.id));
    const originals = createOriginals(months.devices.get(month), devices, metric);
    for (let index = 0; index < days; index += 1) {
      const note = notes[firstDay + index] ?? null;
      const computed = { provider: COMPUTED_PROVIDER, deviceId: null, originalUnit: metric.unit };
      if (note === null) sources.push([]);
      else if (note === '') sources.push([{ ...computed, originalValue: values?.[position + index] ?? 0 }]);
      else sources.push(parseContributors(note).flatMap((one) => originals(one, firstDay + index) ?? []));
    }
  }
  return sources;
}

type Originals = (contributor: Contributor, day: number) => DaySource | null;

/** Decodes a device's column on first use, as few devices contribute to a metric. */
function createOriginals(
  sheets: ReadonlyMap<DeviceNumber, OpenedSheet> | undefined,
  devices: SourceDevices,
  metric: Metric,
): Originals {
  const number = metricNumberOf(metric.id);
  const columns = new Map<DeviceNumber, { values: Float64Array; notes: readonly (string | null)[] } | null>();
  const readColumn = (device: DeviceNumber) => {
    const sheet = sheets?.get(device);
    if (sheet === undefined) return null;
    const values = new Float64Array(MAX_DAYS);
    return readValues(sheet, number, values) ? { values, notes: readNotes(sheet, number) } : null;
  };
  return ({ device, value }, day) => {
    const known = devices.get(device);
    if (known === undefined) return null;
    const source = { provider: known.provider, deviceId: known.id };
    if (value !== null) return { ...source, originalValue: value, originalUnit: metric.unit };
    const column = columns.getOrInsertComputed(device, readColumn);
    const note = column?.notes[day] ?? null;
    if (column === null || note === null) return null;
    return { ...source, originalValue: column.values[day] ?? 0, originalUnit: parseDeviceDayNote(note).unit };
  };
}
