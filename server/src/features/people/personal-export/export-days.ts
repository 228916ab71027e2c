// Exports the stored value of each day per device.
import { parseDeviceDayNote } from '../../../domain/consolidate/day-notes.ts';
import { type MetricNumber, metricIdOf } from '../../../domain/metrics/index.ts';
import { dateOf, type MonthNumber, type MonthSheet } from '../../../domain/packed/month-sheets/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { listStoredMonths, readDeviceMonths } from '../../store/daily-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

export async function* exportDays(
  db: Queryable,
  user: UserHandle,
  nameDevice: (device: DeviceNumber) => object,
): AsyncGenerator<string> {
  for (const month of await listStoredMonths(db, user)) {
    const sheets = (await readDeviceMonths(db, user, [month])).get(month) ?? [];
    for (const [device, sheet] of sheets)
      for (const metric of sheet.metrics()) yield writeMetric(nameDevice(device), month, metric, sheet);
  }
}

/** One month of one metric: at most 31 values. */
function writeMetric(device: object, month: MonthNumber, metric: MetricNumber, sheet: MonthSheet): string {
  const days = [...sheet.cells(metric)].map(([day, { value, note }]) => {
    const { origin, unit, method } = parseDeviceDayNote(note);
    return { date: dateOf(month, day), value, unit, origin, recording_method: method };
  });
  return JSON.stringify({ ...device, metric: metricIdOf(metric) ?? `#${metric}`, days });
}
