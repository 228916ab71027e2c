// Sleeps, with the naps of the day inside of them. First tentative, then final under the same summaryId.
// https://developer.garmin.com/gc-developer-program/health-api/ (sleep summaries)
import type { EpochMs, SleepSession, SleepStage, StagePeriod } from '../../domain/records.ts';
import { makeSleep, meanOf, scale } from '../make-sessions.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readId, readList, readNumber, readPart, readText, required } from '../read-json.ts';
import { readEpochSeconds } from '../read-time.ts';
import { readOptional } from '../unreadable-fields.ts';
import { listSummaries, readMeasuredSeries, readOffsetSeconds, readSummaryTime } from './summaries.ts';

const STAGES: Readonly<Record<string, SleepStage>> = {
  deep: 'deep',
  light: 'light',
  rem: 'rem',
  awake: 'awake',
  unmeasurable: 'asleep',
};
const MINUTE_S = 60;

export function mapSleeps(body: unknown): ProviderRecords {
  const records = collectRecords();
  records.each(listSummaries(body, 'sleeps'), (item) => {
    // Each by itself: naps stand without the night, and the night without them.
    records.each([item], () => {
      const night = mapNight(item);
      if (night !== null) records.sleep(night);
    });
    records.each(readList(item, 'naps'), (nap) => records.sleep(mapNap(nap)));
  });
  return records.records();
}

/** Null: a day with naps alone, or a night whose end nothing tells. */
function mapNight(item: JsonObject): SleepSession | null {
  const { start, offsetMinutes } = readSummaryTime(item);
  const stages = readOptional('sleepLevelsMap', () => readStages(item)) ?? [];
  const end = findEnd(item, start, stages);
  if (end <= start) return null;
  const minutes = (field: string) => scale(readNumber(item, field), MINUTE_S);
  return makeSleep({
    key: required(readId(item, 'summaryId'), 'summaryId'),
    start: start as EpochMs,
    end: end as EpochMs,
    offsetMinutes,
    stages: stages.length === 0 ? null : stages,
    asleepMinutes: minutes('durationInSeconds'), // s, asleep only: without the time awake
    deepMinutes: minutes('deepSleepDurationInSeconds'), // s
    lightMinutes: minutes('lightSleepDurationInSeconds'), // s
    remMinutes: minutes('remSleepInSeconds'), // s
    awakeMinutes: minutes('awakeDurationInSeconds'), // s
    respiratoryRate: meanOf('sleep_respiratory_rate', readValues(item, 'timeOffsetSleepRespiration')), // breaths/min
    bloodOxygen: meanOf('sleep_blood_oxygen', readValues(item, 'timeOffsetSleepSpo2')), // %
    hrvKind: 'rmssd',
    method: readText(item, 'validation') === 'MANUAL' ? 'manual' : 'automatic',
  });
}

/** The last stage ends the night; without stages it lasted as long as asleep and awake together: the duration is the first alone. */
function findEnd(item: JsonObject, start: number, stages: readonly StagePeriod[]): number {
  const asleep = readNumber(item, 'durationInSeconds');
  const awake = readNumber(item, 'awakeDurationInSeconds');
  const lasted = asleep === null || awake === null ? 0 : asleep + awake;
  return Math.max(start + lasted * 1_000, ...stages.map(({ end }) => end));
}

/** sleepLevelsMap: for each stage its periods, in UTC seconds. */
function readStages(item: JsonObject): StagePeriod[] {
  const levels = readPart(item, 'sleepLevelsMap') ?? {};
  const stages = Object.entries(STAGES).flatMap(([level, stage]) =>
    readList(levels, level).map((period) => ({ stage, ...readPeriod(period) })),
  );
  return stages.sort((a, b) => a.start - b.start);
}

function readPeriod(period: JsonObject): Pick<StagePeriod, 'start' | 'end'> {
  return {
    start: required(readEpochSeconds(period, 'startTimeInSeconds'), 'startTimeInSeconds'),
    end: required(readEpochSeconds(period, 'endTimeInSeconds'), 'endTimeInSeconds'),
  };
}

/** Naps have no id of their own: their start is. */
function mapNap(nap: JsonObject): SleepSession {
  const start = required(readEpochSeconds(nap, 'napStartTimeInSeconds'), 'napStartTimeInSeconds');
  const seconds = required(readNumber(nap, 'napDurationInSeconds'), 'napDurationInSeconds');
  return makeSleep({
    key: `nap-${start / 1_000}`,
    start,
    end: (start + seconds * 1_000) as EpochMs,
    offsetMinutes: readOffsetSeconds(nap, 'napOffsetInSeconds'),
    asleepMinutes: seconds / MINUTE_S,
    hrvKind: 'rmssd',
    method: readText(nap, 'napValidation') === 'MANUAL' ? 'manual' : 'automatic',
  });
}

function readValues(item: JsonObject, name: string): number[] {
  return readMeasuredSeries(item, name).map(({ value }) => value);
}
