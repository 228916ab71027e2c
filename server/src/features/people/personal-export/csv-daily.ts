// The canonical daily values of a user as rows: one per day and metric, with the values that the API returns.
import { findMetric, metricIdOf } from '../../../domain/metrics/index.ts';
import { presentValue } from '../../../domain/metrics/present-value.ts';
import { dateOf, type MonthNumber, type MonthSheet } from '../../../domain/packed/month-sheets/index.ts';
import type { CsvCell } from '../../../platform/csv.ts';
import type { Database } from '../../../platform/db/database.ts';
import { listStoredMonths, loadDailySheets } from '../../store/daily-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

export const DAILY_COLUMNS = ['date', 'metric', 'value', 'unit'];

export async function* listDailyRows(db: Database, user: UserHandle): AsyncGenerator<CsvCell[][]> {
  for (const month of await listStoredMonths(db, user)) {
    const sheets = await db.transaction((tx) => loadDailySheets(tx, user, [month]));
    const sheet = sheets.get(month);
    if (sheet !== undefined) yield listRowsOfMonth(month, sheet);
  }
}

function listRowsOfMonth(month: MonthNumber, sheet: MonthSheet): CsvCell[][] {
  return [...sheet.metrics()]
    .flatMap((number) => {
      const metric = findMetric(metricIdOf(number) ?? '');
      if (metric === null) return []; // not part of the API
      return [...sheet.cells(number)].map(([day, cell]) => {
        const { value, unit } = presentValue(metric, cell.value, 'metric');
        return [dateOf(month, day), metric.id, value, unit] as const;
      });
    })
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map((row) => [...row]);
}
