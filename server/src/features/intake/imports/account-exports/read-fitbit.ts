// Reads Fitbit files of Google Takeout ("Global Export Data"). Minutes and heart rates are in UTC, sleeps in local time.
import type { SleepStage } from '../../../../domain/records/records.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../domain/time/durations.ts';
import type { ImportSink, ImportSource } from '../import-sink.ts';
import type { LocalTimes } from '../local-times.ts';
import { isTime, toTime } from '../to-time.ts';
import { divide, isRecord, type JsonRecord, parseRecords, toNumber, toText } from './read-records.ts';

const SOURCE: ImportSource = { provider: 'file', id: 'import Fitbit Takeout', name: 'Fitbit (Takeout)' };
const FILE = /^([a-z_]+)-\d{4}-\d\d-\d\d\.json$/i;
const FOLDER = /(^|\/)Fitbit\//i;

type Reader = (record: JsonRecord, sink: ImportSink, position: string, times: LocalTimes) => void;

/** The kind of file by its name; null: nothing of it is imported. */
export function findFitbitKind(name: string): string | null {
  const end = name.lastIndexOf('/') + 1;
  const kind = FILE.exec(name.slice(end))?.[1]?.toLowerCase() ?? '';
  if (!FOLDER.test(name.slice(0, end))) return null;
  return Object.hasOwn(READERS, kind) ? kind : null;
}

export function isTakeout(names: readonly string[]): boolean {
  return names.some((name) => FOLDER.test(name));
}

export function readFitbit(bytes: Buffer, name: string, times: LocalTimes, sink: ImportSink): void {
  const read = READERS[findFitbitKind(name) ?? ''];
  for (const record of parseRecords(bytes, name)) read?.(record, sink, name, times);
}

const READERS: Readonly<Record<string, Reader>> = {
  steps: minute('steps', 'count'),
  distance: minute('distance', 'cm'),
  heart_rate: readHeartRate,
  resting_heart_rate: readRestingHeartRate,
  lightly_active_minutes: daily('light_activity'),
  moderately_active_minutes: daily('moderate_activity'),
  very_active_minutes: daily('vigorous_activity'),
  sedentary_minutes: daily('sedentary_time'),
  sleep: readSleep,
  exercise: readExercise,
};

/** A minute without movement is not stored: zeros mean that the device was not worn, or nothing happened. */
function minute(metric: string, unit: string): Reader {
  return ({ dateTime, value: sent }, sink, position) => {
    const ms = readUtc(dateTime);
    const [start, end] = [toTime(ms), toTime(ms + MINUTE_MS)];
    const value = toNumber(sent);
    if (start === null || end === null || value === null)
      sink.reject(`a record of ${metric} has no time or value`, position);
    else if (value > 0) {
      sink.add(SOURCE, 'samples', { metric, start, end, value, unit, recording_method: 'automatic' }, position);
    }
  };
}

function daily(metric: string): Reader {
  return ({ dateTime, value: sent }, sink, position) => {
    const time = toTime(readUtc(dateTime));
    const value = toNumber(sent);
    if (time === null || value === null) sink.reject(`a record of ${metric} has no day or value`, position);
    else sink.add(SOURCE, 'daily', { date: time.slice(0, 10), metric, value, unit: 'min' }, position);
  };
}

function readHeartRate({ dateTime, value }: JsonRecord, sink: ImportSink, position: string): void {
  const start = toTime(readUtc(dateTime));
  const bpm = isRecord(value) ? toNumber(value.bpm) : null;
  if (start === null || bpm === null) {
    sink.reject('a heart rate has no time or value', position);
    return;
  }
  const sample = { metric: 'heart_rate', start, value: bpm, recording_method: 'automatic' as const };
  sink.add(SOURCE, 'samples', sample, position);
}

/** Days without a value have 0. */
function readRestingHeartRate({ value }: JsonRecord, sink: ImportSink, position: string): void {
  const { date, value: sent } = isRecord(value) ? value : {};
  const time = toTime(readUtc(`${toText(date)} 00:00:00`));
  const bpm = toNumber(sent);
  if (time === null || bpm === null || bpm === 0) return;
  sink.add(SOURCE, 'daily', { date: time.slice(0, 10), metric: 'resting_heart_rate', value: bpm }, position);
}

const LEVELS: Readonly<Record<string, SleepStage>> = {
  wake: 'awake',
  awake: 'awake',
  restless: 'in_bed', // unknown whether it was sleep
  asleep: 'asleep',
  light: 'light',
  deep: 'deep',
  rem: 'rem',
};

function readSleep(record: JsonRecord, sink: ImportSink, position: string, times: LocalTimes): void {
  const start = times.toInstant(toText(record.startTime));
  const end = times.toInstant(toText(record.endTime));
  if (start === null || end === null) {
    sink.reject('a sleep has no start or end', position);
    return;
  }
  const levels = isRecord(record.levels) && Array.isArray(record.levels.data) ? record.levels.data : [];
  const stages = levels.filter(isRecord).flatMap(({ dateTime, level, seconds }) => {
    const stage = LEVELS[toText(level)];
    const from = times.toInstant(toText(dateTime));
    const length = toNumber(seconds);
    if (stage === undefined || from === null || length === null || length <= 0) return [];
    const endMs = Date.parse(from) + length * SECOND_MS;
    return isTime(endMs) ? [{ stage, start: from, end: times.format(endMs) }] : [];
  });
  const id = String(record.logId ?? '');
  sink.add(
    SOURCE,
    'sleep',
    {
      ...(id !== '' && { id }),
      start,
      end,
      ...(stages.length > 0 ? { stages } : { asleep_minutes: toNumber(record.minutesAsleep) }),
      in_bed_minutes: toNumber(record.timeInBed),
      recording_method: record.logType === 'manual' ? 'manual' : 'automatic',
    },
    position,
  );
}

const KM: Readonly<Record<string, number>> = { Kilometer: 1, Mile: 1.609344, Meter: 0.001 };

function readExercise(record: JsonRecord, sink: ImportSink, position: string): void {
  const ms = readUtc(record.startTime);
  const [start, end] = [toTime(ms), toTime(ms + (toNumber(record.duration) ?? Number.NaN))];
  if (start === null || end === null) {
    sink.reject('an exercise has no valid start or duration', position);
    return;
  }
  const factor = KM[toText(record.distanceUnit)];
  const distance = toNumber(record.distance);
  const bpm = toNumber(record.averageHeartRate);
  const id = String(record.logId ?? '');
  sink.add(
    SOURCE,
    'workouts',
    {
      ...(id !== '' && { id }),
      sport_type: toText(record.activityName) || 'other',
      start,
      end,
      duration_minutes: divide(toNumber(record.activeDuration), MINUTE_MS),
      active_calories: toNumber(record.calories),
      steps: toNumber(record.steps),
      distance_km: distance === null || factor === undefined ? null : distance * factor,
      ...(bpm !== null && bpm > 0 && { heart_rate: { avg_bpm: bpm } }),
      recording_method: record.logType === 'manual' ? 'manual' : 'active',
    },
    position,
  );
}

const UTC = /^(\d\d)\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d)$/;

/** "03/09/26 07:30:00": month, day, year. NaN: no such text. */
function readUtc(value: unknown): number {
  const [, month, day, year, time] = UTC.exec(toText(value)) ?? [];
  return month === undefined ? Number.NaN : Date.parse(`20${year}-${month}-${day}T${time}Z`);
}
