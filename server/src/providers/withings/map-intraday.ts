// Intraday data: values at a time, or over the `duration` seconds from it.
// https://developer.withings.com/api-reference/#operation/measurev2-getintradayactivity
import type { MapContext } from '../contract.ts';
import { placeApart } from '../place-apart.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readNumber, readPart } from '../read-json.ts';
import { offsetAt, readLastingMs } from '../read-time.ts';
import { readBody } from './answer.ts';
import { parseEpochSeconds } from './epoch-key.ts';

type Field = readonly [name: string, metric: string, unit: string];

/** Over an interval. `elevation` counts floors. */
const TOTALS: readonly Field[] = [
  ['steps', 'steps', 'count'],
  ['distance', 'distance', 'm'],
  ['elevation', 'floors_climbed', 'count'],
  ['calories', 'active_calories', 'kcal'],
];

/** At a time. The two kinds of variability are two metrics. */
const LEVELS: readonly Field[] = [
  ['heart_rate', 'heart_rate', 'bpm'],
  ['spo2_auto', 'blood_oxygen', '%'],
  ['rmssd', 'heart_rate_variability_rmssd', 'ms'],
  ['sdnn1', 'heart_rate_variability', 'ms'],
];

/** Nights and thermometers report them at the same seconds, so these get their own millisecond. */
const LEVELS_APART: readonly Field[] = [
  ['rr', 'respiratory_rate', 'breaths/min'],
  ['core_body_temperature', 'body_temperature', '°C'],
];

export const INTRADAY_FIELDS: readonly string[] = [
  'duration',
  ...[...TOTALS, ...LEVELS, ...LEVELS_APART].map(([name]) => name),
];

export function mapIntraday(answer: unknown, { zone }: MapContext): ProviderRecords {
  const into = collectRecords();
  const series = readSeries(answer);
  for (const [key, value] of Object.entries(series))
    into.each([value], (row) => {
      const start = parseEpochSeconds(key);
      const at = { start, offsetMinutes: offsetAt(zone, start) };
      const lasting = { ...at, end: start + (readLastingMs(row, 'duration', 1_000) ?? 0) };
      for (const [name, metric, unit] of TOTALS) into.sample(metric, lasting, readNumber(row, name), unit);
      for (const [name, metric, unit] of LEVELS) into.sample(metric, at, readNumber(row, name), unit);
      const apart = placeApart(at, 1);
      for (const [name, metric, unit] of LEVELS_APART) into.sample(metric, apart, readNumber(row, name), unit);
    });
  return into.records();
}

/** A day without data is an empty list instead of an object. */
function readSeries(answer: unknown): JsonObject {
  const body = readBody(answer);
  return Array.isArray(body.series) && body.series.length === 0 ? {} : (readPart(body, 'series') ?? {});
}
