// One resource as a Parquet file. Row groups are sent as they are encoded, so that the file is never in memory as a whole.
import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { DateRange } from '../shared/index.ts';
import type { SampleGroup } from '../timeseries/index.ts';
import type { ExportSource } from './export-source.ts';
import type { Pieces } from './join-pieces.ts';
import { readSampleGroups } from './read-sample-groups.ts';
import { isRecordResource, readRecordPages } from './record-pages.ts';
import type { Resource } from './records.ts';
import { type Column, type ColumnType, SAMPLE_COLUMNS, TABLE_COLUMNS } from './table-columns.ts';

/** Large enough to compress well, and encoded within a few ten milliseconds. */
const ROWS_PER_GROUP = 20_000;

const TYPES = {
  text: 'STRING',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  time: 'TIMESTAMP',
  json: 'STRING',
} as const satisfies Readonly<Record<ColumnType, string>>;

export async function* writeParquet(source: ExportSource, range: DateRange | null, resource: Resource): Pieces {
  const columns: readonly Column[] = isRecordResource(resource) ? TABLE_COLUMNS[resource] : SAMPLE_COLUMNS;
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: schemaFromColumnData({ columnData: toColumns(columns, []) }),
  });
  let rows: unknown[][] = [];
  const takeGroup = () => {
    file.write({ columnData: toColumns(columns, rows), rowGroupSize: ROWS_PER_GROUP });
    rows = [];
    return takeBytes(bytes);
  };
  if (range !== null)
    for await (const page of listRowPages(source, range, resource, columns))
      for (const row of page) {
        rows.push(row);
        if (rows.length === ROWS_PER_GROUP) yield takeGroup();
      }
  if (rows.length > 0) yield takeGroup();
  file.finish();
  yield takeBytes(bytes);
}

/** In pages, because a step of an asynchronous generator takes longer than a row. */
async function* listRowPages(
  source: ExportSource,
  range: DateRange,
  resource: Resource,
  columns: readonly Column[],
): AsyncGenerator<Iterable<unknown[]>> {
  if (isRecordResource(resource)) {
    for await (const page of readRecordPages(resource, source, range))
      yield page.map((record) => columns.map(([name, type]) => toValue(type, record[name as keyof typeof record])));
    return;
  }
  for await (const group of readSampleGroups(source, range)) yield listSampleRows(group);
}

function* listSampleRows({ metric, canonical, contributors }: SampleGroup): Generator<unknown[]> {
  const { count, starts, ends, values, indexes } = canonical;
  for (let index = 0; index < count; index += 1) {
    const device = contributors[indexes[index] as number]?.device;
    if (device === undefined) throw new Error('a sample has no device');
    const start = starts[index] as number;
    const end = ends[index] as number;
    yield [
      metric.id,
      new Date(start),
      end === start ? null : new Date(end),
      values[index],
      metric.unit,
      device.provider,
      device.id,
    ];
  }
}

function toColumns(columns: readonly Column[], rows: readonly unknown[][]): ColumnSource[] {
  return columns.map(([name, type], index) => ({ name, type: TYPES[type], data: rows.map((row) => row[index]) }));
}

function toValue(type: ColumnType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'time') return new Date(value as string);
  return type === 'json' ? JSON.stringify(value) : value;
}

/** The writer continues with an empty buffer; its offset still counts from the beginning of the file. */
function takeBytes(writer: ByteWriter): Buffer {
  const taken = Buffer.from(writer.getBytes());
  writer.index = 0;
  return taken;
}
