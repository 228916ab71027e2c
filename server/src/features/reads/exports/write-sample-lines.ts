// Writes samples as lines of text, directly as bytes.
import type { Metric } from '../../../domain/metrics/index.ts';
import { formatCsv } from '../../../platform/csv.ts';
import { JsonWriter } from '../../../platform/json-writer.ts';
import type { SampleGroup } from '../timeseries/index.ts';
import type { ExportSource } from './export-source.ts';
import { createLineTemplate } from './line-template.ts';
import type { Origin, SampleParts } from './records.ts';

/** How a format writes one sample, including the end of the line. */
type LineNotation = (metric: Metric, origin: Origin, parts: SampleParts) => string;

export const describeNdjson: LineNotation = ({ id, unit }, origin, { start, end, isInstant, value }) =>
  `${JSON.stringify({ resource: 'samples', metric: id, start, ...(!isInstant && { end }), value, unit, ...origin })}\n`;

export const describeCsv: LineNotation = ({ id, unit }, { provider, device_id }, { start, end, isInstant, value }) =>
  formatCsv([[id, start, isInstant ? null : end, value, unit, provider, device_id]]);

const PIECE_BYTES = 49_152; // as in a timeseries: Node scans texts of more than 65,535 characters once more before it sends them
const SLACK_BYTES = 1_024;

export async function* writeSampleLines(
  { user }: Pick<ExportSource, 'user'>,
  groups: AsyncIterable<SampleGroup>,
  describe: LineNotation,
): AsyncGenerator<string> {
  const writer = new JsonWriter(PIECE_BYTES + SLACK_BYTES);
  for await (const { metric, canonical, contributors } of groups) {
    const lines = contributors.map(({ device }) => {
      const origin = { provider: device.provider, device_id: device.id };
      return createLineTemplate((parts) => describe(metric, origin, parts), [user.userId, 'sample', metric.id]);
    });
    const { count, starts, ends, values, indexes } = canonical;
    for (let index = 0; index < count; index += 1) {
      const writeLine = lines[indexes[index] as number];
      if (writeLine === undefined) throw new Error('a sample has no device');
      writeLine(writer, starts[index] as number, ends[index] as number, values[index] as number);
      if (writer.length >= PIECE_BYTES) yield writer.takeText();
    }
  }
  if (writer.length > 0) yield writer.takeText();
}
