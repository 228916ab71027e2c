// One resource as a Parquet file. Row groups are sent as they are encoded, so that the file is never in memory as a whole.
import type { ByteWriter, ColumnSource } from 'hyparquet-writer';
import { createYielder } from '../../../platform/event-loop.ts';
import type { DateRange } from '../shared/index.ts';
import type { SampleGroup } from '../timeseries/index.ts';
import type { ExportSource } from './export-source.ts';
import type { Pieces } from './join-pieces.ts';
import { readSampleGroups } from './read-sample-groups.ts';
import { isRecordResource, readRecordPages } from './record-pages.ts';
import type { ExportResource } from './records.ts';
import { type Column, type ColumnType, SAMPLE_COLUMNS, TABLE_COLUMNS } from './table-columns.ts';

/** Large enough to compress well, and encoded within a few milliseconds. */
const ROWS_PER_GROUP = 5_000;

const TYPES = {
  text: 'STRING',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  time: 'TIMESTAMP',
  json: 'STRING',
} as const satisfies Readonly<Record<ColumnType, string>>;

export async function* writeParquet(source: ExportSource, range: DateRange | null, resource: ExportResource): Pieces {
  const columns: readonly Column[] = isRecordResource(resource) ? TABLE_COLUMNS[resource] : SAMPLE_COLUMNS;
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer'); // 50 modules, seldom used
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: schemaFromColumnData({ columnData: toColumns(columns, []) }),
  });
  const lists: unknown[][] = columns.map(() => []);
  const countRows = () => lists[0]?.length ?? 0;
  const yieldIfDue = createYielder();
  const takeGroup = async () => {
    await yieldIfDue();
    file.write({ columnData: toColumns(columns, lists), rowGroupSize: ROWS_PER_GROUP });
    for (const list of lists) list.length = 0;
    return takeBytes(bytes);
  };
  if (range !== null)
    for await (const { count, append } of listPages(source, range, resource, columns))
      for (let from = 0; from < count; ) {
        const to = Math.min(count, from + ROWS_PER_GROUP - countRows());
        append(lists, from, to);
        from = to;
        if (countRows() === ROWS_PER_GROUP) yield await takeGroup();
      }
  if (countRows() > 0) yield await takeGroup();
  await yieldIfDue();
  file.finish();
  yield takeBytes(bytes);
}

/** Rows that are appended to a list per column, because an array per row takes longer than its values. */
type Page = { readonly count: number; append(lists: readonly unknown[][], from: number, to: number): void };

async function* listPages(
  source: ExportSource,
  range: DateRange,
  resource: ExportResource,
  columns: readonly Column[],
): AsyncGenerator<Page> {
  if (!isRecordResource(resource)) {
    for await (const group of readSampleGroups(source, range)) yield createSamplePage(group);
    return;
  }
  for await (const page of readRecordPages(resource, source, range))
    yield {
      count: page.length,
      append: (lists, from, to) => {
        for (const record of page.slice(from, to))
          for (const [index, [name, type]] of columns.entries())
            lists[index]?.push(toValue(type, record[name as keyof typeof record]));
      },
    };
}

/** In the order of `SAMPLE_COLUMNS`. */
function createSamplePage({ metric, canonical, contributors }: SampleGroup): Page {
  const { count, starts, ends, values, indexes } = canonical;
  const append: Page['append'] = (lists, from, to) => {
    const [metrics = [], startTimes = [], endTimes = [], numbers = [], units = [], providers = [], devices = []] =
      lists;
    for (let index = from; index < to; index += 1) {
      const device = contributors[indexes[index] as number]?.device;
      if (device === undefined) throw new Error('a sample has no device');
      const start = starts[index] as number;
      const end = ends[index] as number;
      metrics.push(metric.id);
      startTimes.push(new Date(start));
      endTimes.push(end === start ? null : new Date(end));
      numbers.push(values[index]);
      units.push(metric.unit);
      providers.push(device.provider);
      devices.push(device.id);
    }
  };
  return { count, append };
}

function toColumns(columns: readonly Column[], lists: readonly unknown[][]): ColumnSource[] {
  return columns.map(([name, type], index) => ({
    name,
    type: TYPES[type],
    data: lists[index] ?? [],
    // Times at equal distances take nearly no bytes as differences.
    ...(type === 'time' && { encoding: 'DELTA_BINARY_PACKED' }),
  }));
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
