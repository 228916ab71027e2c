// Writes samples as lines of text, directly as bytes.
import type { Metric } from '../../../domain/metrics/index.ts';
import { formatCsv } from '../../../platform/csv.ts';
import { JsonWriter } from '../../../platform/json-writer.ts';
import type { SampleGroup } from '../timeseries/index.ts';
import type { ExportSource } from './export-source.ts';
import { type Pieces, TEXT_AT_ONCE } from './join-pieces.ts';
import { createLineTemplate } from './line-template.ts';
import type { Origin, SampleParts } from './records.ts';

/** How a format writes one sample, including the end of the line. */
type LineNotation = (metric: Metric, origin: Origin, parts: SampleParts) => string;

export const describeNdjson: LineNotation = ({ id, unit }, origin, { start, end, isInstant, value }) =>
  `${JSON.stringify({ resource: 'samples', metric: id, start, ...(!isInstant && { end }), value, unit, ...origin })}\n`;

export const describeCsv: LineNotation = ({ id, unit }, { provider, device_id }, { start, end, isInstant, value }) =>
  formatCsv([[id, start, isInstant ? null : end, value, unit, provider, device_id]]);

const SLACK_BYTES = 1_024;

export async function* writeSampleLines(
  { user }: Pick<ExportSource, 'user'>,
  groups: AsyncIterable<SampleGroup>,
  describe: LineNotation,
): Pieces {
  const writer = new JsonWriter(TEXT_AT_ONCE + SLACK_BYTES);
  const templateOf = rememberTemplates(({ metric, device }) => {
    const origin = { provider: device.provider, device_id: device.id };
    const identity = { userId: user.userId, metricId: metric.id };
    return createLineTemplate((parts) => describe(metric, origin, parts), identity);
  });
  for await (const { metric, canonical, contributors } of groups) {
    const lines = contributors.map(({ device }) => templateOf({ metric, device }));
    const { count, starts, ends, values, indexes } = canonical;
    let nth = 0;
    for (let index = 0; index < count; index += 1) {
      nth = index > 0 && starts[index] === starts[index - 1] ? nth + 1 : 0;
      const writeLine = lines[indexes[index] as number];
      if (writeLine === undefined) throw new Error('a sample has no device');
      writeLine(writer, starts[index] as number, ends[index] as number, values[index] as number, nth);
      if (writer.length >= TEXT_AT_ONCE) yield writer.takeText();
    }
  }
  if (writer.length > 0) yield writer.takeText();
}

type LineTemplate = ReturnType<typeof createLineTemplate>;
type Series = { readonly metric: Metric; readonly device: SampleGroup['contributors'][number]['device'] };

/** Groups of the same metric and device follow each other: a year of heart rate has more than a thousand. */
function rememberTemplates(create: (series: Series) => LineTemplate): (series: Series) => LineTemplate {
  let ofMetric: Metric | null = null;
  let templates = new Map<Series['device']['id'], LineTemplate>();
  return (series) => {
    if (series.metric !== ofMetric) templates = new Map();
    ofMetric = series.metric;
    return templates.getOrInsertComputed(series.device.id, () => create(series));
  };
}
