// Sleeps and naps: totals in seconds, without a hypnogram. The watch sends a sleep again while it continues, so one page may
// hold several versions of it, and the longest is the last.

import type { EpochMs, SleepSession } from '../../domain/records/records.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { MapContext } from '../contract.ts';
import { isPossible, makeSleep } from '../make-sessions.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readFlag, readId, readNumber, readPart, required } from '../read-json.ts';
import { type Moment, readLastingMs, readMoment } from '../read-time.ts';
import { listSamples } from './samples.ts';
import { HRV } from './unconfirmed.ts';

type Version = { readonly session: SleepSession; readonly lowest: number | null; readonly isNap: boolean };

export function mapSleep(body: unknown, { parts }: MapContext): ProviderRecords {
  const into = collectRecords();
  const versions = new Map<string, Version>();
  into.each(listSamples(body), (sample) => {
    const data = required(readPart(sample, 'entryData'), 'entryData');
    const session = toSession(sample, data, parts?.has(HRV) === true);
    const known = versions.get(session.key);
    if (known !== undefined && lengthOf(known.session) > lengthOf(session)) return;
    versions.set(session.key, { session, lowest: readBeats(data, 'HRMin'), isNap: readFlag(data, 'IsNap') === true });
  });
  for (const { session } of versions.values()) into.sleep(session);
  for (const [date, bpm] of findLowest(versions.values())) into.daily('sleep_heart_rate_min', date, bpm, 'bpm');
  return into.records();
}

function toSession(sample: JsonObject, data: JsonObject, readsHrv: boolean): SleepSession {
  const { start, end, offsetMinutes } = readFrame(sample, data);
  const stages = readStages(data);
  const inBedMinutes = (end - start) / MINUTE_MS;
  return makeSleep({
    key: required(readId(data, 'SleepId'), 'SleepId'), // stays the same while bedtimes are corrected
    start,
    end,
    offsetMinutes,
    ...stages,
    inBedMinutes,
    awakeMinutes: stages.asleepMinutes === null ? null : Math.max(0, inBedMinutes - stages.asleepMinutes),
    heartRate: readBeats(data, 'HRAvg'),
    heartRateVariability: readsHrv ? readNumber(data, 'AvgHRV') : null, // ms
    hrvKind: 'rmssd',
  });
}

/** Without bedtimes, `timestamp` is the start and `Duration` lasts from it: both are those of the time in bed. */
function readFrame(sample: JsonObject, data: JsonObject): Pick<SleepSession, 'start' | 'end' | 'offsetMinutes'> {
  const lastsMs = readLastingMs(data, 'Duration', 1_000);
  const end = readMoment(data, 'BedtimeEnd');
  const start =
    readMoment(data, 'BedtimeStart') ??
    before(end, lastsMs) ??
    readMoment(data, 'DateTime') ??
    readMoment(sample, 'timestamp');
  const began = required(start, 'BedtimeStart');
  return {
    start: began.ms,
    end: end?.ms ?? ((began.ms + required(lastsMs, 'Duration')) as EpochMs),
    offsetMinutes: (end ?? began).offsetMinutes,
  };
}

function before(end: Moment | null, lastsMs: number | null): Moment | null {
  return end === null || lastsMs === null ? null : { ...end, ms: (end.ms - lastsMs) as EpochMs };
}

/** All 0: the watch has no stages, or not yet. */
function readStages(data: JsonObject) {
  const [deep, light, rem] = ['Deep', 'Light', 'REM'].map((stage) =>
    readLastingMs(data, `${stage}SleepDuration`, 1_000),
  ) as [number | null, number | null, number | null];
  const isWhole = deep !== null && light !== null && rem !== null;
  const asleepMs = isWhole ? deep + light + rem : null;
  const isStaged = asleepMs !== 0;
  const minutes = (ms: number | null) => (ms === null || !isStaged ? null : ms / MINUTE_MS);
  return {
    deepMinutes: minutes(deep),
    lightMinutes: minutes(light),
    remMinutes: minutes(rem),
    asleepMinutes: minutes(asleepMs),
  };
}

/** Of the main sleep, by the local date of waking up. */
function findLowest(versions: Iterable<Version>): Map<string, number> {
  const lowest = new Map<string, number>();
  for (const { session, lowest: bpm, isNap } of versions) {
    if (bpm === null || isNap || !isPossible('sleep_heart_rate_min', bpm)) continue;
    const date = new Date(session.end + session.offsetMinutes * MINUTE_MS).toISOString().slice(0, 10);
    lowest.set(date, Math.min(bpm, lowest.get(date) ?? bpm));
  }
  return lowest;
}

/** 0: not measured. */
function readBeats(data: JsonObject, name: string): number | null {
  const bpm = readNumber(data, name);
  return bpm === 0 ? null : bpm;
}

function lengthOf({ start, end }: SleepSession): number {
  return end - start;
}
