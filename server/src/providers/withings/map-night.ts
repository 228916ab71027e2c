// One sleep: its summary (which requested the stages) and its stages with the series.
// https://developer.withings.com/api-reference/#operation/sleepv2-getsummary (durations in seconds)
// https://developer.withings.com/api-reference/#operation/sleepv2-get

import type { EpochMs, SleepSession, SleepStage, StagePeriod } from '../../domain/records/records.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { MapContext } from '../contract.ts';
import { makeSleep, scale } from '../make-sessions.ts';
import { placeApart } from '../place-apart.ts';
import { collectRecords, type ProviderRecords, type RecordCollector } from '../provider-records.ts';
import {
  asNumber,
  isObject,
  type JsonObject,
  readId,
  readNumber,
  readPart,
  readValues,
  required,
} from '../read-json.ts';
import { offsetAt, readEpochSeconds, readLastingMs, readZone } from '../read-time.ts';
import { readOptional, rejectField } from '../unreadable-fields.ts';
import { readBody } from './answer.ts';
import { parseEpochSeconds } from './epoch-key.ts';

/** `state`; 15 is out of bed, and rarely reported. */
const STAGES: Readonly<Record<number, SleepStage>> = {
  0: 'awake',
  1: 'light',
  2: 'deep',
  3: 'rem',
  4: 'asleep',
  5: 'asleep',
};

/** [field, metric, unit]. The two kinds of variability are two metrics. */
const SERIES: readonly (readonly [name: string, metric: string, unit: string])[] = [
  ['hr', 'heart_rate', 'bpm'],
  ['rr', 'respiratory_rate', 'breaths/min'],
  ['rmssd', 'heart_rate_variability_rmssd', 'ms'],
  ['sdnn_1', 'heart_rate_variability', 'ms'],
];

/** Also reported as intraday data, over another interval. */
const ALSO_OF_WATCH = ['rmssd', 'sdnn_1'];

/** `model` of a summary and `model_id` of a part: the sleep mat. */
const SLEEP_MONITOR = 32;
const MAT_IDS = [60, 61, 62, 63];

export const STAGE_FIELDS: readonly string[] = SERIES.map(([name]) => name);

export function mapNight(answer: unknown, { calledBy, zone }: MapContext): ProviderRecords {
  const parts = answer === null ? [] : readValues(readBody(answer), 'series');
  const into = collectRecords();
  into.each([calledBy], (summary) => {
    const named = readZone(summary, 'timezone', zone);
    into.each(parts, (part) => {
      const isOfMat = isPartOfMat(part, summary);
      for (const series of SERIES) collectSeries(into, part, series, { zone: named, isOfMat });
    });
    into.sleep(toSession(summary, parts.filter(isObject), named));
  });
  return into.records();
}

function toSession(summary: JsonObject, parts: readonly JsonObject[], zone: string): SleepSession {
  const start = required(readEpochSeconds(summary, 'startdate'), 'startdate');
  const end = required(readEpochSeconds(summary, 'enddate'), 'enddate');
  const data = readPart(summary, 'data') ?? {};
  const minutes = (name: string) => scale(readLastingMs(data, name, 1_000), MINUTE_MS); // s
  return makeSleep({
    key: required(readId(summary, 'id'), 'id'),
    start,
    end,
    offsetMinutes: offsetAt(zone, start),
    stages: toStages(parts, start, end),
    asleepMinutes: minutes('total_sleep_time') ?? minutes('asleepduration'), // the latter for imported nights
    lightMinutes: minutes('lightsleepduration'),
    deepMinutes: minutes('deepsleepduration'),
    remMinutes: minutes('remsleepduration'),
    awakeMinutes: minutes('wakeupduration'),
    inBedMinutes: minutes('total_timeinbed'),
    heartRate: readNumber(data, 'hr_average') || null, // bpm; 0 means no signal
    heartRateVariability: averageRmssd(parts) ?? averageEnds(data), // ms
    hrvKind: 'rmssd',
    respiratoryRate: readNumber(data, 'rr_average') || null, // breaths/min
    bodyTemperature: readNumber(data, 'core_body_temperature_avg'), // °C
  });
}

/** Of the whole night. 0 means no signal. */
function averageRmssd(parts: readonly JsonObject[]): number | null {
  const values = parts.flatMap((part) =>
    Object.values(readPart(part, 'rmssd') ?? {}).flatMap((value) => asNumber(value, 'rmssd') || []),
  );
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Of the first and the last 90 minutes, which is all that a summary has; one of them alone is not enough. */
function averageEnds(data: JsonObject): number | null {
  const start = readNumber(data, 'rmssd_start_avg') || null;
  const end = readNumber(data, 'rmssd_end_avg') || null;
  return start === null || end === null ? null : (start + end) / 2;
}

/**
 * A watch and a mat may both report stages of a night: a stage that begins before the last one ended belongs to the other device.
 */
function toStages(parts: readonly JsonObject[], from: EpochMs, to: EpochMs): StagePeriod[] | null {
  const periods: StagePeriod[] = [];
  const reported = parts.map((part) => ({ part, start: readEpochSeconds(part, 'startdate') }));
  for (const { part, start } of reported.toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0))) {
    const stage = STAGES[readNumber(part, 'state') ?? -1];
    const end = readEpochSeconds(part, 'enddate');
    if (stage === undefined || start === null || end === null) continue;
    const clipped = { stage, start, end: Math.min(end, to) as EpochMs };
    const isFree = start >= (periods.at(-1)?.end ?? from);
    if (isFree && clipped.end > start) periods.push(clipped);
  }
  return periods.length === 0 ? null : periods;
}

/** The heart rate of a watch is the intraday one; that of a mat is separate. */
function collectSeries(
  into: RecordCollector,
  part: JsonObject,
  [name, metric, unit]: (typeof SERIES)[number],
  { zone, isOfMat }: { readonly zone: string; readonly isOfMat: boolean },
): void {
  const isApart = ALSO_OF_WATCH.includes(name) || (isOfMat && name === 'hr');
  for (const [key, value] of Object.entries(readPart(part, name) ?? {})) {
    const start = readOptional(name, () => parseEpochSeconds(key));
    if (start === null) continue;
    const at = { start, offsetMinutes: offsetAt(zone, start) };
    into.sample(metric, isApart ? placeApart(at, 2) : at, asNumber(value, name), unit);
  }
}

function isPartOfMat(part: JsonObject, summary: JsonObject): boolean {
  const id = readModelId(part);
  return id === null ? readNumber(summary, 'model') === SLEEP_MONITOR : MAT_IDS.includes(id);
}

function readModelId(part: JsonObject): number | null {
  const id = readNumber(part, 'model_id');
  return id === null || (Number.isSafeInteger(id) && id >= 0) ? id : rejectField('model_id', 'is not an id');
}
