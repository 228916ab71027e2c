// The records of each resource in pages, without those that an export may not contain.
import type { DateRange } from '../shared/index.ts';
import type { ExportSource } from './export-source.ts';
import { isExportable } from './exportable.ts';
import { readDailyRecords } from './read-daily-records.ts';
import { readScoreRecords } from './read-score-records.ts';
import { readSleepRecords, readWorkoutRecords } from './read-session-records.ts';
import type { ExportResource, Records, Traced } from './records.ts';

type RecordResource = keyof Records;

type Readers = {
  readonly [Name in RecordResource]: (source: ExportSource, range: DateRange) => Pages<Traced<Records[Name]>>;
};
type Pages<Kind> = AsyncGenerator<Kind[]>;

const READERS: Readers = {
  daily: readDailyRecords,
  sleep: readSleepRecords,
  workouts: readWorkoutRecords,
  scores: readScoreRecords,
};

export function isRecordResource(resource: ExportResource): resource is RecordResource {
  return resource !== 'samples';
}

export async function* readRecordPages<Name extends RecordResource>(
  resource: Name,
  source: ExportSource,
  range: DateRange,
): Pages<Records[Name]> {
  for await (const page of READERS[resource](source, range))
    yield page.flatMap(({ record, providers }) => (isExportable(source, providers) ? [record] : []));
}

export async function countExcludedRecords(
  resource: RecordResource,
  source: ExportSource,
  range: DateRange,
): Promise<number> {
  let count = 0;
  for await (const page of READERS[resource](source, range))
    for (const { providers } of page) if (!isExportable(source, providers)) count += 1;
  return count;
}
