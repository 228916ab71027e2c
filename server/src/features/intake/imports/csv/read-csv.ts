// Reads CSV: one value per row with a column for the metric, or a column per metric. A day without a time is a daily value.
import { parseLocalDate } from '../../../../domain/time/calendar.ts';
import { parseInstant } from '../../../../domain/time/parse-instant.ts';
import { ImportError, importError } from '../import-error.ts';
import type { ImportSink, ImportSource } from '../import-sink.ts';
import { createLocalTimes, type LocalTimes } from '../local-times.ts';
import {
  type Columns,
  type CsvMapping,
  findByName,
  findColumns,
  positionOf,
  requireUnit,
  type ValueColumn,
} from './column-mapping.ts';
import { type CsvRow, readCsvRows } from './csv-rows.ts';

type Context = {
  readonly columns: Columns;
  readonly mapping: CsvMapping;
  readonly times: LocalTimes;
  readonly source: ImportSource;
  readonly sink: ImportSink;
};

export async function readCsv(
  texts: AsyncIterable<string>,
  { mapping, timezone }: { mapping: CsvMapping; timezone: string | null },
  sink: ImportSink,
): Promise<void> {
  const times = createLocalTimes(mapping.timezone ?? timezone);
  const name = mapping.source ?? 'Imported table';
  const source = { provider: 'file', id: `import ${name}`, name };
  let context: Context | null = null;
  for await (const rows of readCsvRows(texts)) {
    for (const row of rows) {
      if (context === null) context = { columns: openHeader(row, mapping, sink), mapping, times, source, sink };
      else readRow(context, row);
    }
    if (sink.isFull()) await sink.drain();
  }
  if (context === null) throw importError('the file has no rows.', 'line 1');
}

function openHeader({ cells, line }: CsvRow, mapping: CsvMapping, sink: ImportSink): Columns {
  const columns = findColumns(
    cells.map((cell) => cell.replace(/^\ufeff/, '')),
    mapping,
    line,
  );
  for (const name of columns.unused) sink.skip(`column ${name}`);
  return columns;
}

function readRow(context: Context, { line, cells }: CsvRow): void {
  const { columns, times, sink } = context;
  if (cells.length > columns.count && cells.slice(columns.count).some((cell) => cell !== '')) {
    sink.reject(
      'the row has more cells than the header. Put values that contain the delimiter, such as "70,5", into quotation marks.',
      positionOf(line, columns.count),
    );
    return;
  }
  const sent = cells[columns.time] ?? '';
  const date = parseLocalDate(sent);
  const start = date === null ? readTime(times, sent) : null;
  if (date === null && start === null) {
    sink.reject(
      `"${sent.slice(0, 40)}" is not a time such as 2026-01-31T07:05:09+01:00, or a day`,
      positionOf(line, columns.time),
    );
    return;
  }
  const sentEnd = columns.end === null ? '' : (cells[columns.end] ?? '');
  const end = sentEnd === '' ? null : readTime(times, sentEnd);
  const isEndDay = date !== null && parseLocalDate(sentEnd) !== null;
  if (sentEnd !== '' && end === null && !isEndDay) {
    sink.reject(
      `"${sentEnd.slice(0, 40)}" is not a time such as 2026-01-31T07:05:09+01:00${date === null ? '' : ', or a day'}`,
      positionOf(line, columns.end ?? 0),
    );
    return;
  }
  if (date !== null && sentEnd !== '' && !sentEnd.startsWith(date)) {
    sink.reject(
      'a value of several days cannot be a daily value. State times with the days, or leave the end empty',
      positionOf(line, columns.end ?? 0),
    );
    return;
  }
  try {
    for (const column of listValues(columns, cells, line)) {
      const text = cells[column.at] ?? '';
      if (text === '') continue;
      const value = readNumber(text, context.mapping.decimal);
      const position = positionOf(line, column.at);
      if (value === null) sink.reject(describeNumber(text, context.mapping.decimal), position);
      else addValue(context, column, { date, start, end }, value, position);
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    sink.reject(error.message.slice(error.message.indexOf(': ') + 2), error.message.split(': ')[0] as string);
  }
}

/** A file with a column for the metric can have another metric and unit in each row. */
function listValues({ long, values }: Columns, cells: readonly string[], line: number): readonly ValueColumn[] {
  if (long === null) return values;
  const name = cells[long.metric] ?? '';
  const metric = findByName(name);
  if (metric === null)
    throw importError(`"${name.slice(0, 40)}" is not a metric that devices send`, positionOf(line, long.metric));
  const sent = long.unit === null ? '' : (cells[long.unit] ?? '');
  const unit = sent === '' ? metric.unit : requireUnit(metric, sent, positionOf(line, long.unit ?? 0));
  return [{ at: long.value, metric, unit }];
}

function addValue(
  { sink, source }: Context,
  { metric, unit }: ValueColumn,
  { date, start, end }: { date: string | null; start: string | null; end: string | null },
  value: number,
  position: string,
): void {
  if (date !== null) sink.add(source, 'daily', { date, metric: metric.id, value, unit }, position);
  else if (start !== null)
    sink.add(source, 'samples', { metric: metric.id, start, ...(end !== null && { end }), value, unit }, position);
}

function readTime(times: LocalTimes, text: string): string | null {
  const joined = text.replace(/^(\d{4}-\d\d-\d\d) /, '$1T');
  return Number.isNaN(parseInstant(joined)) ? times.toInstant(joined) : joined;
}

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const GROUPED_BY_POINTS = /^-?\d{1,3}(\.\d{3})+,\d+$/;
/** By decimal mark, with the other mark between groups of three digits. */
const GROUPED = {
  '.': /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/,
  ',': /^[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?$/,
} as const;
const DECIMAL_COMMA = /^-?\d+,\d+$/;
/** "1,234": a thousand, or a bit more than one. */
const AMBIGUOUS = /^-?[1-9]\d{0,2},\d{3}$/;

/** Without a stated decimal mark, a single comma is one: "71,5". Null: not a number, or not clear which. */
function readNumber(text: string, decimal: CsvMapping['decimal']): number | null {
  if (decimal === undefined && AMBIGUOUS.test(text)) return null;
  // "70.5" in a file with decimal commas is not 705.
  if (decimal !== undefined && text.includes(decimal === '.' ? ',' : '.') && !GROUPED[decimal].test(text)) return null;
  const isComma =
    decimal === ',' || (decimal === undefined && (DECIMAL_COMMA.test(text) || GROUPED_BY_POINTS.test(text)));
  const plain = isComma
    ? text.replaceAll('.', '').replace(',', '.')
    : decimal === '.'
      ? text.replaceAll(',', '')
      : text;
  const number = DECIMAL.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

function describeNumber(text: string, decimal: CsvMapping['decimal']): string {
  if (decimal === undefined && AMBIGUOUS.test(text))
    return `"${text}" can mean a thousand or a fraction. State the decimal mark in the mapping, such as {"decimal": "."}`;
  return `"${text.slice(0, 40)}" is not a number${decimal === undefined ? '' : ` with the decimal mark "${decimal}"`}`;
}
