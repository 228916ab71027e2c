// Points that are one measurement each, and Google's daily values. https://developers.google.com/health/data-types
import type { MetricId } from '../../domain/metrics/index.ts';
import type { Resource } from '../contract.ts';
import { placeApart } from '../place-apart.ts';
import { collectRecords, type RecordCollector } from '../provider-records.ts';
import { type JsonObject, readList, readPart, readText, required } from '../read-json.ts';
import {
  eachPoint,
  readAmount,
  readAmountAt,
  readCivilDate,
  readInterval,
  readMethod,
  readSampleTime,
  readSeconds,
} from './data-points.ts';

/** How one Google data type is mapped. */
export type Mapping = {
  readonly of: 'sleep' | 'workouts' | readonly MetricId[];
  readonly map: Resource['map'];
};

/** Google's field, our metric and unit, and a divisor if the catalog does not have Google's unit. */
export type Field = readonly [field: string, metric: string, unit: string, divisor?: number];

/** Over an interval: steps, energy, distance. */
export function mapIntervals(member: string, fields: readonly Field[]): Mapping {
  return mapEach('dataPoints', member, metricsOf(fields), (records, data, point) => {
    const at = { ...readInterval(data), method: readMethod(point) };
    for (const [field, metric, unit, divisor = 1] of fields)
      records.sample(metric, at, divide(readAmountAt(data, field), divisor), unit);
  });
}

/** At a moment: heart rate, weight. `apartMs`: an offset if another type has the same metric at the same moment. */
export function mapSamples(member: string, fields: readonly Field[], apartMs?: 1 | 2): Mapping {
  return mapEach('dataPoints', member, metricsOf(fields), (records, data, point) => {
    const reported = { ...readSampleTime(data), method: readMethod(point) };
    const at = apartMs === undefined ? reported : { ...reported, ...placeApart(reported, apartMs) };
    for (const [field, metric, unit, divisor = 1] of fields)
      records.sample(metric, at, divide(readAmountAt(data, field), divisor), unit);
  });
}

/** Of a day: resting heart rate, the averages of a night. */
export function mapDaily(member: string, fields: readonly Field[]): Mapping {
  return mapEach('dataPoints', member, metricsOf(fields), (records, data, point) => {
    const date = readCivilDate(data, 'date');
    for (const [field, metric, unit, divisor = 1] of fields)
      records.daily(metric, date, divide(readAmountAt(data, field), divisor), unit, readMethod(point));
  });
}

/** Added up by Google over all devices of a user: our own sum would count phone and watch twice. */
export function mapRollup(member: string, fields: readonly Field[]): Mapping {
  return mapEach('rollupDataPoints', member, metricsOf(fields), (records, data, point) => {
    const date = readRollupDate(point);
    for (const [field, metric, unit, divisor = 1] of fields)
      records.daily(metric, date, divide(readAmountAt(data, field), divisor), unit, readMethod(point));
  });
}

const LEVELS: Readonly<Record<string, string>> = {
  LIGHT: 'light_activity',
  MODERATE: 'moderate_activity',
  VIGOROUS: 'vigorous_activity',
};

/** active-minutes: whole minutes by level. */
export const mapActiveMinutes = mapEach(
  'rollupDataPoints',
  'activeMinutes',
  Object.values(LEVELS),
  (records, data, point) => {
    for (const level of readList(data, 'activeMinutesRollupByActivityLevel')) {
      const metric = LEVELS[readText(level, 'activityLevel') ?? ''];
      if (metric === undefined) continue;
      records.daily(metric, readRollupDate(point), readAmount(level, 'activeMinutesSum'), 'min', readMethod(point));
    }
  },
);

/** sedentary-period: durationSum as "3600s". */
export const mapSedentary = mapEach(
  'rollupDataPoints',
  'sedentaryPeriod',
  ['sedentary_time'],
  (records, data, point) => {
    records.daily('sedentary_time', readRollupDate(point), readSeconds(data, 'durationSum'), 's', readMethod(point));
  },
);

/** Google has four zones: the lowest is below ours, the others map to the nearest. */
const ZONES: Readonly<Record<string, string>> = {
  MODERATE: 'heart_rate_zone_2_time',
  VIGOROUS: 'heart_rate_zone_3_time',
  PEAK: 'heart_rate_zone_5_time',
};

/** time-in-heart-rate-zone: durations by zone. */
export const mapZoneTimes = mapEach(
  'rollupDataPoints',
  'timeInHeartRateZone',
  Object.values(ZONES),
  (records, data, point) => {
    const date = readRollupDate(point);
    for (const zone of readList(data, 'timeInHeartRateZones')) {
      const metric = ZONES[readText(zone, 'heartRateZone') ?? ''];
      if (metric !== undefined) records.daily(metric, date, readSeconds(zone, 'duration'), 's', readMethod(point));
    }
  },
);

const TEMPERATURES = ['sleep_skin_temperature', 'sleep_temperature_deviation'];

/** daily-sleep-temperature-derivations: skin temperature of the night in °C, and the median of the last 30 nights. */
export const mapSleepTemperature = mapEach(
  'dataPoints',
  'dailySleepTemperatureDerivations',
  TEMPERATURES,
  (records, data, point) => {
    const date = readCivilDate(data, 'date');
    const nightly = readAmount(data, 'nightlyTemperatureCelsius');
    const baseline = readAmount(data, 'baselineTemperatureCelsius');
    records.daily('sleep_skin_temperature', date, nightly, '°C', readMethod(point));
    const deviation = nightly === null || baseline === null ? null : nightly - baseline;
    records.daily('sleep_temperature_deviation', date, deviation, '°C', readMethod(point));
  },
);

/** civilStartTime: one day, because we request one at a time. */
export function readRollupDate(point: JsonObject): string {
  return readCivilDate(required(readPart(point, 'civilStartTime'), 'civilStartTime'), 'date');
}

function divide(value: number | null, divisor: number): number | null {
  return value === null ? null : value / divisor;
}

export function mapEach(
  list: string,
  member: string,
  metrics: readonly string[],
  add: (records: RecordCollector, data: JsonObject, point: JsonObject) => void,
): Mapping {
  return {
    of: metrics as readonly MetricId[],
    map(body) {
      const records = collectRecords();
      eachPoint(records, body, { list, member }, (data, point) => add(records, data, point));
      return records.records();
    },
  };
}

function metricsOf(fields: readonly Field[]): string[] {
  return fields.map(([, metric]) => metric);
}
