// How Google writes data points: integers as strings, durations as "3600s", times in UTC with a separate offset.
// https://developers.google.com/health/reference/rest/v4/users.dataTypes.dataPoints

import type { RecordingMethod } from '../../domain/records/records.ts';
import { type LocalDate, parseLocalDate } from '../../domain/time/calendar.ts';
import { isOffsetMinutes } from '../../domain/time/parse-instant.ts';
import { ProviderAnswerError } from '../contract.ts';
import type { RecordCollector } from '../provider-records.ts';
import { asObject, type JsonObject, readNumber, readPart, readText, readValues, required } from '../read-json.ts';
import { readMoment } from '../read-time.ts';
import { rejectField } from '../unreadable-fields.ts';

export const DATA_TYPES = 'https://developers.google.com/health/data-types';

/** The field of that name of each point; points of other kinds do not have it. */
export function eachPoint(
  records: RecordCollector,
  body: unknown,
  { list, member }: { readonly list: string; readonly member: string },
  read: (data: JsonObject, point: JsonObject) => void,
): void {
  records.each(readValues(asObject(body), list), (point) => {
    const data = readPart(point, member);
    if (data !== null) read(data, point);
  });
}

/** int64 is a string, double a number. */
export function readAmount(item: JsonObject, name: string): number | null {
  const value = item[name] ?? null;
  if (typeof value !== 'string') return readNumber(item, name);
  if (value === 'NaN') return null; // protocol buffers write this if there is no value yet
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : rejectField(name, 'is not a number');
}

/** `energy.kcal`: a nested amount. */
export function readAmountAt(item: JsonObject, path: string): number | null {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce<JsonObject | null>((part, name) => (part === null ? null : readPart(part, name)), item);
  return holder === null ? null : readAmount(holder, last);
}

/** "3600s" or "3.5s". */
export function readSeconds(item: JsonObject, name: string): number | null {
  const text = readText(item, name);
  if (text === null) return null;
  return /^-?\d+(\.\d+)?s$/.test(text) ? Number(text.slice(0, -1)) : rejectField(name, 'is not a duration');
}

type PointTime = { readonly start: number; readonly end: number; readonly offsetMinutes: number };

/** interval: startTime, endTime, and startUtcOffset, the local offset. */
export function readInterval(item: JsonObject): PointTime {
  return readTimes(required(readPart(item, 'interval'), 'interval'));
}

/** Used by intervals and stages. */
export function readTimes(item: JsonObject): PointTime {
  const start = required(readMoment(item, 'startTime'), 'startTime').ms;
  const end = required(readMoment(item, 'endTime'), 'endTime').ms;
  return { start, end, offsetMinutes: readOffset(item, 'startUtcOffset') };
}

/** sampleTime: physicalTime and utcOffset. */
export function readSampleTime(item: JsonObject): PointTime {
  const time = required(readPart(item, 'sampleTime'), 'sampleTime');
  const start = required(readMoment(time, 'physicalTime'), 'physicalTime').ms;
  return { start, end: start, offsetMinutes: readOffset(time, 'utcOffset') };
}

/** `{year, month, day}`. */
export function readCivilDate(item: JsonObject, name: string): LocalDate {
  const part = required(readPart(item, name), name);
  const [year, month, day] = ['year', 'month', 'day'].map((field) => String(required(readNumber(part, field), field)));
  const date = parseLocalDate(`${year?.padStart(4, '0')}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`);
  if (date === null) throw new ProviderAnswerError(`${name} is not a date`);
  return date;
}

/** The last part of its name. Reconciled points have it in another field. Null: points of this kind have no id. */
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

/** dataSource.recordingMethod. Listed points have it; points merged over several sources, and days, do not. */
export function readMethod(point: JsonObject): RecordingMethod {
  return METHODS[readText(readPart(point, 'dataSource') ?? {}, 'recordingMethod') ?? ''] ?? 'unknown';
}

/** "3600s" in minutes. Without an offset the time is in UTC. */
function readOffset(item: JsonObject, name: string): number {
  const minutes = Math.round((readSeconds(item, name) ?? 0) / 60) + 0; // avoids negative zero
  return isOffsetMinutes(minutes) ? minutes : (rejectField(name, 'is not an offset') ?? 0);
}
