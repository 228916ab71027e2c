// Open mHealth and IEEE 1752.1 data points, one per line.
import { createZone } from '../../../domain/time/day.ts';
import type { DateRange } from '../shared/index.ts';
import type { ExportSource } from './export-source.ts';
import type { Pieces } from './join-pieces.ts';
import { pointOfDay, pointOfSample, pointOfScore, pointOfSleep, pointOfWorkout } from './omh-data-points.ts';
import { readSampleGroups } from './read-sample-groups.ts';
import { readRecordPages } from './record-pages.ts';
import type { ExportResource } from './records.ts';
import { toLines } from './to-lines.ts';
import { writeSampleLines } from './write-sample-lines.ts';

export async function* writeOmh(
  source: ExportSource,
  range: DateRange | null,
  resources: readonly ExportResource[],
): Pieces {
  if (range === null) return;
  const { userId, timezone } = source.user;
  const zone = createZone(timezone);
  for (const resource of resources)
    if (resource === 'daily')
      for await (const page of readRecordPages('daily', source, range))
        yield* toLines(page.map((one) => pointOfDay(userId, zone, one)));
    else if (resource === 'sleep')
      for await (const page of readRecordPages('sleep', source, range))
        yield* toLines(page.map((one) => pointOfSleep(userId, one)));
    else if (resource === 'workouts')
      for await (const page of readRecordPages('workouts', source, range))
        yield* toLines(page.map((one) => pointOfWorkout(userId, one)));
    else if (resource === 'scores')
      for await (const page of readRecordPages('scores', source, range))
        yield* toLines(page.map((one) => pointOfScore(userId, zone, one)));
    else
      yield* writeSampleLines(
        source,
        readSampleGroups(source, range),
        (metric, origin, sample) => `${JSON.stringify(pointOfSample(userId, metric, origin, sample))}\n`,
      );
}
