// Month sheets: the daily values of one calendar month, as bytes.
export { PackedBytesError as MonthSheetError } from '../bytes/index.ts';
export { decodeSheet } from './decode-sheet.ts';
export { encodeSheet } from './encode-sheet.ts';
export { dateOf, dayOfMonth, listDays, listMonths, type MonthNumber, monthOf } from './month.ts';
export { type Cell, createSheet, type MonthSheet } from './month-sheet.ts';
export { listOpenedMetrics, type OpenedSheet, openSheet, readNotes, readSomeValues, readValues } from './open-sheet.ts';
export { MAX_DAYS } from './sheet-format.ts';
