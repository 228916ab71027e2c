// All metrics of a day: series, single values and sleeps. The day is a local date of the user; times are seconds since 1970.
// Not in the documentation: series repeat the unit in `unit` or lack it, and steps of older versions have no `total`.
import { parseLocalDate } from '../../domain/time/calendar.ts';
import { createZone } from '../../domain/time/day.ts';
import type { MapContext } from '../contract.ts';
import { ProviderAnswerError } from '../provider-answer-error.ts';
import { collectRecords, type ProviderRecords, type RecordCollector } from '../provider-records.ts';
import {
  asObject,
  type JsonObject,
  readList,
  readNumber,
  readPart,
  readText,
  readValues,
  required,
} from '../read-json.ts';
import { readEpochSeconds } from '../read-time.ts';
import { enabledHrvKind } from './hrv-kind.ts';
import { createSleepReader } from './map-sleep.ts';

const HRV_METRICS = { rmssd: 'heart_rate_variability_rmssd', sdnn: 'heart_rate_variability' } as const;

export function mapDay(body: unknown, context: MapContext): ProviderRecords {
  const into = collectRecords();
  const requested = context.window?.toDate;
  if (requested === undefined) return into.records();
  for (const { date, entries } of listDays(body, requested)) {
    const readSleep = createSleepReader(into, context);
    into.each(entries, (entry) => {
      const type = required(readText(entry, 'type'), 'type');
      const object = required(readPart(entry, 'object'), 'object');
      if (type.toLowerCase() === 'sleep') readSleep(readPart(object, 'details') ?? object);
      else collectEntry(into, type, object, date, context);
    });
  }
  return into.records();
}

function collectEntry(into: RecordCollector, type: string, object: JsonObject, date: string, context: MapContext) {
  const series = (metric: string, unit: string) => collectSeries(into, object, metric, unit, context);
  const daily = (metric: string, name: string, unit: string) =>
    into.daily(metric, date, readSignal(object, name), unit);
  const hrvKind = enabledHrvKind(context);
  switch (type) {
    case 'hr':
      return series('heart_rate', 'bpm');
    case 'temp':
      return series('skin_temperature', '°C');
    case 'spo2':
      return series('blood_oxygen', '%');
    case 'hrv':
      return hrvKind === null ? undefined : series(HRV_METRICS[hrvKind], 'ms');
    case 'glucose':
      return series('blood_glucose', glucoseUnitOf(object));
    case 'steps':
      return into.daily('steps', date, countSteps(object), 'count');
    case 'night_rhr':
      return daily('resting_heart_rate', 'avg', 'bpm');
    case 'vo2_max':
      return daily('vo2_max', 'value', 'mL/kg/min');
    case 'active_minutes':
      return into.daily('active_minutes', date, readNumber(object, 'value'), 'min');
    default:
      return undefined;
  }
}

/** A value of 0 was not measured, in series of temperature and blood as well as of the heart. */
function collectSeries(into: RecordCollector, object: JsonObject, metric: string, unit: string, { zone }: MapContext) {
  const addSample = into.moments(metric, unit);
  const { offsetMinutesAt } = createZone(zone);
  into.each(readList(object, 'values'), (point) => {
    const start = Math.round(required(readEpochSeconds(point, 'timestamp'), 'timestamp'));
    addSample(start, offsetMinutesAt(start), readSignal(point, 'value'));
  });
}

function readSignal(item: JsonObject, name: string): number | null {
  const value = readNumber(item, name);
  return value === 0 ? null : value;
}

/** Without a `total`, the sum of all counts; a count that cannot be read would make it too small. */
function countSteps(object: JsonObject): number | null {
  const total = readNumber(object, 'total');
  if (total !== null) return total;
  const counts = readList(object, 'values').map((point) => readNumber(point, 'value'));
  if (counts.length === 0 || counts.some((count) => count === null)) return null;
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/**
 * The unit is not documented. Ultrahuman shows mg/dL; a value in mmol/L without a unit would be out of range as mg/dL, and be
 * dropped instead of stored wrongly.
 */
function glucoseUnitOf(object: JsonObject): string {
  return /mmol/i.test(readText(object, 'unit') ?? '') ? 'mmol/L' : 'mg/dL';
}

type DayEntries = { readonly date: string; readonly entries: readonly unknown[] };

/**
 * Versions of the API differ: `data.metric_data` is the list of the requested day, and `data.metrics` has a list for each date. A type
 * may be missing, and may occur twice. `requested`: the date of the request.
 */
function listDays(body: unknown, requested: string): DayEntries[] {
  const data = required(readPart(asObject(body), 'data'), 'data');
  const byDate = readPart(data, 'metrics');
  if (byDate === null) return [{ date: requested, entries: readValues(data, 'metric_data') }];
  return Object.keys(byDate).map((date) => {
    if (parseLocalDate(date) === null) throw new ProviderAnswerError('metrics has a key that is not a date');
    return { date, entries: readList(byDate, date) };
  });
}
