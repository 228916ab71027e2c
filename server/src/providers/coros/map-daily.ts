// Daily summaries with a sleep, whose times are local and without stages. Only with the part `daily`.

import type { EpochMs, SleepSession } from '../../domain/records/records.ts';
import { type LocalDate, parseLocalDate } from '../../domain/time/calendar.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import type { MapContext } from '../contract.ts';
import { isPossible, makeSleep } from '../make-sessions.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import {
  asObject,
  type JsonObject,
  readId,
  readNumber,
  readPart,
  readText,
  readValues,
  required,
} from '../read-json.ts';
import { offsetAt, parseLocalTime } from '../read-time.ts';
import { readOptional, rejectField } from '../unreadable-fields.ts';
import { readKcal } from './read-kcal.ts';
import { readQuarters } from './read-quarters.ts';
import { DAILY, HRV } from './unconfirmed.ts';

export function mapDaily(body: unknown, { parts, zone }: MapContext): ProviderRecords {
  const into = collectRecords();
  if (parts?.has(DAILY) !== true) return into.records();
  into.each(readValues(readPart(asObject(body), 'data') ?? {}, 'dailyList'), (item) => {
    const date = required(readDay(item), 'happenDay');
    into.daily('steps', date, readNumber(item, 'step'), 'count');
    into.daily('resting_heart_rate', date, readMeasured(item, 'rhr'), 'bpm');
    into.daily('active_calories', date, readKcal(item, parts), 'kcal');
    if (parts.has(HRV)) into.daily('heart_rate_variability_rmssd', date, readMeasured(item, 'ppgHrv'), 'ms');
    const sleep = readSleep(item, date, zone);
    if (sleep !== null) into.sleep(sleep);
  });
  return into.records();
}

/** 20260302, as a number or a string. */
function readDay(item: JsonObject): LocalDate | null {
  const text = readId(item, 'happenDay') ?? '';
  return parseLocalDate(text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'));
}

/** 0: not measured. */
function readMeasured(item: JsonObject, name: string): number | null {
  const value = readNumber(item, name);
  return value === 0 ? null : value;
}

/** The example of the reference has a night of 58 hours, so a longer one than a day is dropped. */
function readSleep(item: JsonObject, date: LocalDate, zone: string): SleepSession | null {
  const start = readLocal(item, 'sleepStartTime', 'startTimezone', zone);
  const end = readLocal(item, 'sleepEndTime', 'endTimezone', zone);
  if (start === null || end === null) return null;
  const lastsMs = end.ms - start.ms;
  if (lastsMs <= 0 || lastsMs > DAY_MS) return rejectField('sleepEndTime', 'is not within a day');
  const heartRate = readMeasured(item, 'sleepAvgHr');
  return makeSleep({
    key: date,
    start: start.ms as EpochMs,
    end: end.ms as EpochMs,
    offsetMinutes: end.offsetMinutes,
    inBedMinutes: lastsMs / MINUTE_MS,
    heartRate: heartRate !== null && isPossible('heart_rate', heartRate) ? heartRate : null,
    hrvKind: 'rmssd',
  });
}

/** "2026-03-01 23:10:30" in the zone of the field, or of the user. */
function readLocal(item: JsonObject, name: string, zoneName: string, zone: string) {
  const text = readText(item, name);
  if (text === null || text === '') return null;
  const localMs = readOptional(name, () => parseLocalTime(text.replace(' ', 'T'), name));
  if (localMs === null) return null;
  const offsetMinutes = readQuarters(item, zoneName) ?? offsetAt(zone, localMs);
  return { ms: localMs - offsetMinutes * MINUTE_MS, offsetMinutes };
}
