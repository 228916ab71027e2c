// Each record as a line of JSON that names its resource.
import type { DateRange } from '../shared/index.ts';
import type { Exclusions } from './exclusions.ts';
import type { ExportSource } from './export-source.ts';
import type { Pieces } from './join-pieces.ts';
import { readSampleGroups } from './read-sample-groups.ts';
import { isRecordResource, readRecordPages } from './record-pages.ts';
import type { ExportResource } from './records.ts';
import { toLines } from './to-lines.ts';
import { describeNdjson, writeSampleLines } from './write-sample-lines.ts';

export async function* writeNdjson(
  source: ExportSource,
  range: DateRange | null,
  resources: readonly ExportResource[],
  exclusions: Exclusions | null,
): Pieces {
  if (exclusions !== null) yield `${JSON.stringify({ resource: 'excluded', ...exclusions })}\n`;
  if (range === null) return;
  for (const resource of resources)
    if (isRecordResource(resource))
      for await (const page of readRecordPages(resource, source, range))
        yield* toLines(page.map((record) => ({ resource, ...record })));
    else yield* writeSampleLines(source, readSampleGroups(source, range), describeNdjson);
}
