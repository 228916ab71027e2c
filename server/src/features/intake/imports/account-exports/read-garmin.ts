// Reads a Garmin account export: daily summaries, sleeps and activities.
import { MINUTE_MS } from '../../../../domain/time/durations.ts';
import type { ImportSink, ImportSource } from '../import-sink.ts';
import { shortenText } from '../shorten-text.ts';
import { toTime } from '../to-time.ts';
import { divide, isRecord, type JsonRecord, parseRecords, toNumber, toText } from './read-records.ts';

const SOURCE: ImportSource = { provider: 'file', id: 'import Garmin account', name: 'Garmin (account export)' };

type Reader = (records: JsonRecord[], sink: ImportSink, position: string) => void;

const READERS: readonly [RegExp, Reader][] = [
  [/\/UDSFile_[^/]*\.json$/, each(readDay)],
  [/_sleepData\.json$/, each(readSleep)],
  [/_summarizedActivities\.json$/i, readActivities],
];

function each(read: (record: JsonRecord, sink: ImportSink, position: string) => void): Reader {
  return (records, sink, position) => {
    for (const record of records) read(record, sink, position);
  };
}

export function isGarminExport(names: readonly string[]): boolean {
  return names.some((name) => /(^|\/)DI_CONNECT\//.test(name));
}

export function isGarminFile(name: string): boolean {
  return READERS.some(([pattern]) => pattern.test(name));
}

export function readGarmin(bytes: Buffer, name: string, sink: ImportSink): void {
  const [, read] = READERS.find(([pattern]) => pattern.test(name)) ?? [];
  read?.(parseRecords(bytes, name), sink, name);
}

/** Field of the summary, metric and unit. */
const DAILY_FIELDS = [
  ['totalSteps', 'steps', 'count'],
  ['totalDistanceMeters', 'distance', 'm'],
  ['activeKilocalories', 'active_calories', 'kcal'],
  ['bmrKilocalories', 'resting_energy', 'kcal'],
  ['restingHeartRate', 'resting_heart_rate', 'bpm'],
  ['minHeartRate', 'heart_rate_min', 'bpm'],
  ['maxHeartRate', 'heart_rate_max', 'bpm'],
  ['moderateIntensityMinutes', 'moderate_activity', 'min'],
  ['vigorousIntensityMinutes', 'vigorous_activity', 'min'],
  ['floorsAscendedInMeters', 'elevation_gain', 'm'],
] as const;

function readDay(record: JsonRecord, sink: ImportSink, position: string): void {
  const { calendarDate } = record;
  const date = toText(isRecord(calendarDate) ? calendarDate.date : calendarDate).slice(0, 10);
  if (date === '') {
    sink.reject('a daily summary has no date', position);
    return;
  }
  for (const [field, metric, unit] of DAILY_FIELDS) {
    const value = toNumber(record[field]);
    if (value !== null) sink.add(SOURCE, 'daily', { date, metric, value, unit }, position);
  }
}

function readSleep(record: JsonRecord, sink: ImportSink, position: string): void {
  const { sleepStartTimestampGMT: from, sleepEndTimestampGMT: to } = record;
  if (!from || !to) return; // a day without a sleep
  const [start, end] = [toGmt(from), toGmt(to)];
  if (start === null || end === null) {
    sink.reject('a sleep has no valid start or end', position);
    return;
  }
  const minutes = (field: string) => divide(toNumber(record[field]), 60);
  const [deep, light, rem] = [minutes('deepSleepSeconds'), minutes('lightSleepSeconds'), minutes('remSleepSeconds')];
  const parts = [deep, light, rem].filter((part) => part !== null);
  sink.add(
    SOURCE,
    'sleep',
    {
      start,
      end,
      asleep_minutes: parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0),
      deep_minutes: deep,
      light_minutes: light,
      rem_minutes: rem,
      awake_minutes: minutes('awakeSleepSeconds'),
      respiratory_rate: toNumber(record.averageRespiration),
      recording_method: 'automatic',
    },
    position,
  );
}

function readActivities(records: JsonRecord[], sink: ImportSink, position: string): void {
  const activities = records.flatMap((record) =>
    Array.isArray(record.summarizedActivitiesExport) ? record.summarizedActivitiesExport : [record],
  );
  for (const activity of activities.filter(isRecord)) readActivity(activity, sink, position);
}

/** Times are in milliseconds, lengths in centimeters. The unit of calories is not known, so they are not imported. */
function readActivity(record: JsonRecord, sink: ImportSink, position: string): void {
  const startMs = toNumber(record.startTimeGmt) ?? toNumber(record.beginTimestamp);
  const durationMs = toNumber(record.elapsedDuration) ?? toNumber(record.duration);
  const start = toTime(startMs ?? Number.NaN);
  const end = toTime((startMs ?? Number.NaN) + (durationMs ?? Number.NaN));
  if (start === null || end === null) {
    sink.reject('an activity has no valid start or duration', position);
    return;
  }
  const { activityType } = record;
  const [average, maximum] = [toNumber(record.avgHr), toNumber(record.maxHr)];
  const id = String(record.activityId ?? '');
  sink.add(
    SOURCE,
    'workouts',
    {
      ...(id !== '' && { id }),
      sport_type: toText(isRecord(activityType) ? activityType.typeKey : activityType) || 'other',
      name: shortenText(toText(record.name), 255) || null,
      start,
      end,
      duration_minutes: divide(toNumber(record.duration), MINUTE_MS),
      distance_km: divide(toNumber(record.distance), 100_000),
      elevation_gain_m: divide(toNumber(record.elevationGain), 100),
      steps: toNumber(record.steps),
      ...((average !== null || maximum !== null) && { heart_rate: { avg_bpm: average, max_bpm: maximum } }),
      recording_method: 'active',
    },
    position,
  );
}

/** "2026-03-08T22:10:00.0". */
function toGmt(value: unknown): string | null {
  const text = toText(value);
  const ms = typeof value === 'number' ? value : Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  return toTime(ms);
}
