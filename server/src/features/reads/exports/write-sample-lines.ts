// Writes samples as lines of text, directly as bytes: a year of heart rate has half a million. What all samples of a device share is
// encoded once.
import type { Metric } from '../../../domain/metrics/index.ts';
import { formatCsv } from '../../../platform/csv.ts';
import { JsonWriter } from '../../../platform/json-writer.ts';
import { type Contributor, createTimeTemplate, type SampleGroup, type TimeTemplate } from '../timeseries/index.ts';

/** How a format writes one sample: start, end, value and the rest of the line. */
type LineNotation = {
  startOf(metric: Metric): TimeTemplate;
  readonly end: TimeTemplate;
  /** In place of the end of an instant. */
  readonly noEnd: Buffer;
  readonly beforeValue: Buffer;
  afterValue(metric: Metric, device: Contributor['device']): Buffer;
};

export const NDJSON_LINES: LineNotation = {
  startOf: ({ id }) => createTimeTemplate(`{"resource":"samples","metric":${JSON.stringify(id)},"start":"`, '"'),
  end: createTimeTemplate(',"end":"', '"'),
  noEnd: Buffer.alloc(0),
  beforeValue: Buffer.from(',"value":'),
  afterValue: ({ unit }, { provider, id }) =>
    Buffer.from(`,${JSON.stringify({ unit, provider, device_id: id }).slice(1)}\n`),
};

export const CSV_LINES: LineNotation = {
  startOf: ({ id }) => createTimeTemplate(`${id},`, ','),
  end: createTimeTemplate('', ','),
  noEnd: Buffer.from(','),
  beforeValue: Buffer.alloc(0),
  afterValue: ({ unit }, { provider, id }) => Buffer.from(`,${formatCsv([[unit, provider, id]])}`),
};

const PIECE_BYTES = 49_152; // as in a timeseries: Node scans texts of more than 65,535 characters once more before it sends them
const SLACK_BYTES = 1_024;

export async function* writeSampleLines(groups: AsyncIterable<SampleGroup>, notation: LineNotation) {
  const writer = new JsonWriter(PIECE_BYTES + SLACK_BYTES);
  for await (const group of groups) yield* writeGroup(writer, group, notation);
  if (writer.length > 0) yield writer.takeText();
}

function* writeGroup(writer: JsonWriter, group: SampleGroup, notation: LineNotation): Generator<string> {
  const { metric, canonical, contributors } = group;
  const { count, starts, ends, values, indexes } = canonical;
  const startOf = notation.startOf(metric);
  const endings = contributors.map(({ device }) => notation.afterValue(metric, device));
  for (let index = 0; index < count; index += 1) {
    const start = starts[index] as number;
    const end = ends[index] as number;
    writer.writeBytes(startOf(start));
    writer.writeBytes(end === start ? notation.noEnd : notation.end(end));
    writer.writeBytes(notation.beforeValue);
    writer.writeNumber(values[index] as number);
    writer.writeBytes(endings[indexes[index] as number] as Buffer);
    if (writer.length >= PIECE_BYTES) yield writer.takeText();
  }
}
