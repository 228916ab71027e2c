// How Google writes data points: whole numbers as texts, durations as "3600s", times in UTC with their offset beside them.
// https://developers.google.com/health/reference/rest/v4/users.dataTypes.dataPoints
import { type LocalDate, parseLocalDate } from '../../domain/calendar.ts';
import type { RecordingMethod } from '../../domain/records.ts';
import { ProviderAnswerError } from '../contract.ts';
import { asObject, type JsonObject, readList, readNumber, readPart, readText, required } from '../read-json.ts';
import { readMoment } from '../read-time.ts';

export const DATA_TYPES = 'https://developers.google.com/health/data-types';

/** What the points of a page hold under that name; points of other kinds are not there. */
export function listPoints(body: unknown, list: string, member: string): { point: JsonObject; data: JsonObject }[] {
  return readList(asObject(body), list).flatMap((point) => {
    const data = readPart(point, member);
    return data === null ? [] : [{ point, data }];
  });
}

/** int64 comes as a text, double as a number. */
export function readAmount(item: JsonObject, name: string): number | null {
  const value = item[name] ?? null;
  if (typeof value !== 'string') return readNumber(item, name);
  if (!/^-?\d+(\.\d+)?$/.test(value)) throw new ProviderAnswerError(`${name} is no number`);
  return Number(value);
}

/** "3600s" or "3.5s". */
export function readSeconds(item: JsonObject, name: string): number | null {
  const text = readText(item, name);
  if (text === null) return null;
  if (!/^-?\d+(\.\d+)?s$/.test(text)) throw new ProviderAnswerError(`${name} is no duration`);
  return Number(text.slice(0, -1));
}

export type PointTime = { readonly start: number; readonly end: number; readonly offsetMinutes: number };

/** interval: startTime, endTime, and startUtcOffset: what the wall was ahead by. */
export function readInterval(item: JsonObject): PointTime {
  return readTimes(required(readPart(item, 'interval'), 'interval'));
}

/** As intervals are written, and stages. */
export function readTimes(item: JsonObject): PointTime {
  const start = required(readMoment(item, 'startTime'), 'startTime').ms;
  const end = required(readMoment(item, 'endTime'), 'endTime').ms;
  return { start, end, offsetMinutes: toMinutes(readSeconds(item, 'startUtcOffset')) };
}

/** sampleTime: physicalTime and utcOffset. */
export function readSampleTime(item: JsonObject): PointTime {
  const time = required(readPart(item, 'sampleTime'), 'sampleTime');
  const start = required(readMoment(time, 'physicalTime'), 'physicalTime').ms;
  return { start, end: start, offsetMinutes: toMinutes(readSeconds(time, 'utcOffset')) };
}

/** `{year, month, day}`. */
export function readCivilDate(item: JsonObject, name: string): LocalDate {
  const part = required(readPart(item, name), name);
  const [year, month, day] = ['year', 'month', 'day'].map((field) => String(readNumber(part, field) ?? 0));
  const date = parseLocalDate(`${year?.padStart(4, '0')}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`);
  if (date === null) throw new ProviderAnswerError(`${name} is no date`);
  return date;
}

/** The last part of its name. Reconciled points have it under another field. Null: points of this kind have none. */
export function readPointId(point: JsonObject): string | null {
  const name = readText(point, 'dataPointName') ?? readText(point, 'name');
  return name?.split('/').at(-1) || null;
}

const METHODS: Readonly<Record<string, RecordingMethod>> = {
  MANUAL: 'manual',
  ACTIVELY_MEASURED: 'active',
  PASSIVELY_MEASURED: 'automatic',
  DERIVED: 'automatic',
};

/** dataSource.recordingMethod, where it is told. */
export function readMethod(point: JsonObject, otherwise: RecordingMethod): RecordingMethod {
  return METHODS[readText(readPart(point, 'dataSource') ?? {}, 'recordingMethod') ?? ''] ?? otherwise;
}

function toMinutes(seconds: number | null): number {
  return Math.round((seconds ?? 0) / 60);
}
