// Sleeps, which contain the naps of the day. First tentative, then final under the same summaryId.
// https://developer.garmin.com/gc-developer-program/health-api/ (sleep summaries)
import type { EpochMs, SleepSession, SleepStage, StagePeriod } from '../../domain/records/records.ts';
import { makeSleep, meanOf, scale } from '../make-sessions.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readId, readList, readNumber, readPart, readText, required } from '../read-json.ts';
import { readEpochSeconds, readLastingMs } from '../read-time.ts';
import { readOptional } from '../unreadable-fields.ts';
import { listSummaries, readMeasuredSeries, readOffsetSeconds, readSummaryTime } from './summaries.ts';

const STAGES: Readonly<Record<string, SleepStage>> = {
  deep: 'deep',
  light: 'light',
  rem: 'rem',
  awake: 'awake',
  unmeasurable: 'in_bed', // unknown whether it was sleep
};
/** The sleep stages that a staged night distinguishes. */
const SLEEP_TOTALS = ['deepSleepDurationInSeconds', 'lightSleepDurationInSeconds', 'remSleepInSeconds'];
/** The watch was not worn: the times are a guess, and stages are impossible. */
const OFF_WRIST = 'OFF_WRIST';
const MINUTE_S = 60;

export function mapSleeps(body: unknown): ProviderRecords {
  const records = collectRecords();
  records.each(listSummaries(body, 'sleeps'), (item) => {
    // Read separately, so that an unreadable night keeps its naps and the other way round.
    records.each([item], () => {
      const night = mapNight(item);
      if (night !== null) records.sleep(night);
    });
    records.each(readList(item, 'naps'), (nap) => records.sleep(mapNap(nap)));
  });
  return records.records();
}

/** Null: a day with naps only, or a night without a known end. */
function mapNight(item: JsonObject): SleepSession | null {
  const { start, offsetMinutes } = readSummaryTime(item);
  const periods = readOptional('sleepLevelsMap', () => readStages(item)) ?? [];
  const end = findEnd(item, start, periods);
  if (end <= start) return null;
  const isWorn = readText(item, 'validation') !== OFF_WRIST;
  const isStaged = isWorn && hasSleepStages(item, periods);
  const minutes = (field: string) => (isStaged ? scale(readSeconds(item, field), MINUTE_S) : null);
  return makeSleep({
    key: required(readId(item, 'summaryId'), 'summaryId'),
    start: start as EpochMs,
    end: end as EpochMs,
    offsetMinutes,
    stages: isWorn && periods.length > 0 ? periods : null,
    asleepMinutes: scale(readAsleepSeconds(item, isStaged), MINUTE_S),
    deepMinutes: minutes('deepSleepDurationInSeconds'), // s
    lightMinutes: minutes('lightSleepDurationInSeconds'), // s
    remMinutes: minutes('remSleepInSeconds'), // s
    awakeMinutes: scale(readAwakeSeconds(item, isWorn, isStaged), MINUTE_S),
    respiratoryRate: meanOf('sleep_respiratory_rate', readValues(item, 'timeOffsetSleepRespiration')), // breaths/min
    bloodOxygen: meanOf('sleep_blood_oxygen', readValues(item, 'timeOffsetSleepSpo2')), // %
    hrvKind: 'rmssd',
    method: readText(item, 'validation') === 'MANUAL' ? 'manual' : 'automatic',
  });
}

/** A night without stages reports 0 s for each of them: those were not measured. */
function hasSleepStages(item: JsonObject, periods: readonly StagePeriod[]): boolean {
  const isReported = SLEEP_TOTALS.some((field) => (readSeconds(item, field) ?? 0) > 0);
  return isReported || periods.some(({ stage }) => stage !== 'awake' && stage !== 'in_bed');
}

/**
 * The sum of the stages, which excludes unmeasurable time; otherwise the duration without time awake, minus unmeasurable time.
 */
function readAsleepSeconds(item: JsonObject, isStaged: boolean): number | null {
  const totals = SLEEP_TOTALS.map((field) => readSeconds(item, field));
  if (isStaged && totals.every((seconds) => seconds !== null))
    return totals.reduce((sum: number, seconds) => sum + (seconds ?? 0), 0);
  const duration = readSeconds(item, 'durationInSeconds');
  const unmeasurable = readUnmeasurableSeconds(item);
  if (duration === null) return null;
  return unmeasurable > 0 && duration <= unmeasurable ? null : duration - unmeasurable;
}

/** Spelled in two ways, like other durations of the same summary. */
function readUnmeasurableSeconds(item: JsonObject): number {
  const seconds = readSeconds(item, 'unmeasurableSleepInSeconds');
  return seconds ?? readSeconds(item, 'unmeasurableSleepDurationInSeconds') ?? 0;
}

/** Without stages 0 means not measured. */
function readAwakeSeconds(item: JsonObject, isWorn: boolean, isStaged: boolean): number | null {
  const awake = readSeconds(item, 'awakeDurationInSeconds');
  return isWorn && (isStaged || awake !== 0) ? awake : null;
}

/**
 * The last stage ends the night. Without stages it lasted as long as the time asleep and awake together: the duration is the time
 * asleep, and a night without time awake is a little short rather than lost.
 */
function findEnd(item: JsonObject, start: number, periods: readonly StagePeriod[]): number {
  const asleep = readSeconds(item, 'durationInSeconds');
  const lasted = asleep === null ? 0 : asleep + (readSeconds(item, 'awakeDurationInSeconds') ?? 0);
  return Math.max(start + lasted * 1_000, ...periods.map(({ end }) => end));
}

/** sleepLevelsMap: the periods of each stage, in UTC seconds. */
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

/** Naps have no id, so their start identifies them. */
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

function readSeconds(item: JsonObject, name: string): number | null {
  return scale(readLastingMs(item, name, 1_000), 1_000);
}

function readValues(item: JsonObject, name: string): number[] {
  return readMeasuredSeries(item, name).map(({ value }) => value);
}
