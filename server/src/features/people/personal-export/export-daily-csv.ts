// The daily values of a person as a table for spreadsheets: one line per organization, day and metric.
import { findMetric, metricIdOf } from '../../../domain/metrics/index.ts';
import { dateOf, type MonthNumber, type MonthSheet } from '../../../domain/packed/month-sheets/index.ts';
import type { Services } from '../../../platform/services.ts';
import { listMonths, loadDailySheets } from '../../store/daily-store/index.ts';
import { openOwnUser } from '../../tenancy/user-core/index.ts';
import type { ExportRequest } from './export-person.ts';
import { joinPieces, type Pieces } from './write-list.ts';

const COLUMNS = ['organization', 'date', 'metric', 'value', 'unit'];
/** Spreadsheets take a file without it for another encoding. */
const BYTE_ORDER_MARK = '\ufeff';

export function exportDailyCsv(services: Services, request: ExportRequest): Pieces {
  return joinPieces(writeTable(services, request));
}

async function* writeTable({ db }: Services, { shares }: ExportRequest): Pieces {
  yield `${BYTE_ORDER_MARK}${writeLine(COLUMNS)}`;
  for (const { tenant, userId, organization } of shares) {
    const own = await openOwnUser(db, tenant, userId);
    if (own === null) continue;
    for (const month of await listMonths(db, own.handle)) {
      const sheets = await db.transaction((tx) => loadDailySheets(tx, own.handle, [month]));
      const sheet = sheets.get(month);
      if (sheet !== undefined) yield writeMonth(organization, month, sheet);
    }
  }
}

function writeMonth(organization: string, month: MonthNumber, sheet: MonthSheet): string {
  const lines = [...sheet.metrics()].flatMap((number) => {
    const id = metricIdOf(number);
    const unit = id === null ? '' : (findMetric(id)?.unit ?? '');
    return [...sheet.cells(number)].map(([day, { value }]) => ({ date: dateOf(month, day), id, value, unit }));
  });
  return lines
    .sort((one, other) => one.date.localeCompare(other.date))
    .map(({ date, id, value, unit }) => writeLine([organization, date, id ?? '', String(value), unit]))
    .join('');
}

/** RFC 4180. A leading sign that a spreadsheet would run as a formula is quoted as text. */
export function writeLine(cells: readonly string[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`;
}

function writeCell(text: string): string {
  const safe = /^[=+@\t\r]/.test(text) || (text.startsWith('-') && !Number.isFinite(Number(text))) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
