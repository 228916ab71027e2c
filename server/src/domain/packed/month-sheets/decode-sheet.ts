// Decodes a whole sheet, to change it and write it again.
import { createSheet, type MonthSheet } from './month-sheet.ts';
import { listOpenedMetrics, openSheet, readNotes, readValues } from './open-sheet.ts';
import { MAX_DAYS } from './sheet-format.ts';

export function decodeSheet(bytes: Uint8Array): MonthSheet {
  const sheet = createSheet();
  const opened = openSheet(bytes);
  const metrics = listOpenedMetrics(opened);
  const all = new Float64Array(metrics.length * MAX_DAYS); // one allocation: creating the arrays one by one takes longer than reading them
  for (const [index, metric] of metrics.entries()) {
    const values = all.subarray(index * MAX_DAYS, (index + 1) * MAX_DAYS);
    readValues(opened, metric, values);
    sheet.columns.set(metric, { values, notes: readNotes(opened, metric) });
  }
  return sheet;
}
