// One resource as CSV, with a header line.
import { type CsvCell, formatCsv } from '../../../platform/csv.ts';
import type { DateRange } from '../shared/index.ts';
import type { ExportSource } from './export-source.ts';
import type { Pieces } from './join-pieces.ts';
import { readSampleGroups } from './read-sample-groups.ts';
import { isRecordResource, readRecordPages } from './record-pages.ts';
import type { ExportResource } from './records.ts';
import { SAMPLE_COLUMNS, TABLE_COLUMNS } from './table-columns.ts';
import { describeCsv, writeSampleLines } from './write-sample-lines.ts';

export async function* writeCsv(source: ExportSource, range: DateRange | null, resource: ExportResource): Pieces {
  const columns = isRecordResource(resource) ? TABLE_COLUMNS[resource] : SAMPLE_COLUMNS;
  yield formatCsv([columns.map(([name]) => name)]);
  if (range === null) return;
  if (!isRecordResource(resource)) {
    yield* writeSampleLines(source, readSampleGroups(source, range), describeCsv);
    return;
  }
  for await (const page of readRecordPages(resource, source, range))
    yield formatCsv(page.map((record) => columns.map(([name]) => toCell(record[name as keyof typeof record]))));
}

function toCell(value: unknown): CsvCell {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as CsvCell);
}
