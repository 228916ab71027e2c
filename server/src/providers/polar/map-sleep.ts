// Nights, and Nightly Recharge, which identifies a night by its date only.
// https://www.polar.com/accesslink-api/#sleep https://www.polar.com/accesslink-api/#nightly-recharge

import type { EpochMs, SleepSession, SleepStage, StagePeriod } from '../../domain/records/records.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { MapContext } from '../contract.ts';
import { makeSleep, meanOf, scale } from '../make-sessions.ts';
import { collectRecords, type ProviderRecords, type RecordCollector } from '../provider-records.ts';
import { asNumber, asObject, type JsonObject, readPart, readValues, required } from '../read-json.ts';
import { type Moment, readDate, readLastingMs } from '../read-time.ts';
import { rejectField } from '../unreadable-fields.ts';
import { atLocal, findClock, nightClock, placeNight, readLocalMoment } from './local-times.ts';
import { isSignal, readSignal } from './read-signal.ts';

/** By the codes of the hypnogram; others, such as 5, are unknown. */
const STAGES: readonly SleepStage[] = ['awake', 'rem', 'light', 'light', 'deep'];
/** All 0 if the device only detected sleep: then `unrecognized_sleep_stage` is the time asleep. */
const STAGE_TOTALS = ['light_sleep', 'deep_sleep', 'rem_sleep'];

/** A list of nights, or one requested by its date. */
export function mapSleep(body: unknown, { zone }: MapContext): ProviderRecords {
  const records = collectRecords();
  records.each(listOrOne(body, 'nights'), (night) => {
    const session = mapNight(night, zone);
    if (session.end > session.start) records.sleep(session);
  });
  return records.records();
}

/** Sleep score, charge, rating and continuity are Polar's own and not mapped. */
function mapNight(night: JsonObject, zone: string): SleepSession {
  const start = required(readTime(night, 'sleep_start_time', zone), 'sleep_start_time');
  const end = required(readTime(night, 'sleep_end_time', zone), 'sleep_end_time');
  const clock = nightClock(start, end, zone);
  const bpm = readSignals(night, 'heart_rate_samples').map(([, value]) => value); // bpm, about every 5 min
  const isStaged = STAGE_TOTALS.some((field) => (readMinutes(night, field) ?? 0) > 0);
  const minutes = (field: string) => (isStaged ? readMinutes(night, field) : null);
  return makeSleep({
    key: required(readDate(night, 'date'), 'date'), // one night per date
    start: start.ms,
    end: end.ms,
    offsetMinutes: start.offsetMinutes,
    stages: readStages(night, clock, end.ms, isStaged),
    asleepMinutes: readAsleepMinutes(night),
    deepMinutes: minutes('deep_sleep'), // s
    lightMinutes: minutes('light_sleep'), // s
    remMinutes: minutes('rem_sleep'), // s
    awakeMinutes: readMinutes(night, 'total_interruption_duration'), // s
    heartRate: meanOf('sleep_heart_rate', bpm),
    hrvKind: 'rmssd',
  });
}

/** Usually with an offset; without one we use the user's zone. */
function readTime(night: JsonObject, name: string, zone: string): Moment | null {
  const time = readLocalMoment(night, name, zone);
  return time === null ? null : { ms: time.start as EpochMs, offsetMinutes: time.offsetMinutes };
}

/** hypnogram: each time is the start of a stage. In a staged night it is unknown whether the rest was sleep. */
function readStages(
  night: JsonObject,
  clock: (text: string) => number,
  endMs: number,
  isStaged: boolean,
): StagePeriod[] | null {
  const unknown: SleepStage = isStaged ? 'in_bed' : 'asleep';
  const changes = readSeries(night, 'hypnogram')
    .map(([time, code]) => ({ stage: STAGES[code] ?? unknown, at: clock(time) }))
    .sort((a, b) => a.at - b.at);
  const stages = changes.map(({ stage, at }, position) => ({
    stage,
    start: at as EpochMs,
    end: (changes[position + 1]?.at ?? endMs) as EpochMs,
  }));
  return stages.length === 0 ? null : stages.filter(({ start, end }) => end > start);
}

/**
 * Averages of four hours that begin half an hour after falling asleep; ANS charge and recharge status are scores and not mapped.
 */
export function mapNightlyRecharge(body: unknown, { zone }: MapContext): ProviderRecords {
  const records = collectRecords();
  records.each(listOrOne(body, 'recharges'), (item) => {
    const date = required(readDate(item, 'date'), 'date');
    records.daily('sleep_heart_rate_variability', date, readSignal(item, 'heart_rate_variability_avg'), 'ms'); // RMSSD
    records.daily('sleep_respiratory_rate', date, readSignal(item, 'breathing_rate_avg'), 'breaths/min');
    addSeries(records, item, zone, 'hrv_samples', 'heart_rate_variability_rmssd', 'ms'); // RMSSD over 5 min
    addSeries(records, item, zone, 'breathing_samples', 'respiratory_rate', 'breaths/min');
  });
  return records.records();
}

function addSeries(
  records: RecordCollector,
  item: JsonObject,
  zone: string,
  name: string,
  metric: string,
  unit: string,
): void {
  const series = readSignals(item, name);
  const clocks = series.map(([clock]) => clock);
  for (const [position, at] of placeNight(clocks, required(readDate(item, 'date'), 'date')).entries()) {
    records.sample(metric, atLocal(zone, at.date, at.secondsOfDay), series[position]?.[1] ?? null, unit);
  }
}

/** `{"23:55": 44}`, without missing values. */
function readSeries(item: JsonObject, name: string): [clock: string, value: number][] {
  return Object.entries(readPart(item, name) ?? {}).flatMap(([clock, reported]) => {
    const value = findClock(clock) === null ? rejectField(name, 'has no time of day') : asNumber(reported, name);
    return value === null ? [] : [[clock, value] as [string, number]];
  });
}

function readSignals(item: JsonObject, name: string): [clock: string, value: number][] {
  return readSeries(item, name).filter(([, value]) => isSignal(value));
}

/** Null if a stage is missing: the rest is not the total. */
function readAsleepMinutes(night: JsonObject): number | null {
  const reported = STAGE_TOTALS.flatMap((field) => readMinutes(night, field) ?? []);
  if (reported.length < STAGE_TOTALS.length) return null;
  const staged = reported.reduce((sum, minutes) => sum + minutes, 0);
  return staged > 0 ? staged : readMinutes(night, 'unrecognized_sleep_stage');
}

/** Of a field in seconds. */
function readMinutes(night: JsonObject, name: string): number | null {
  return scale(readLastingMs(night, name, 1_000), MINUTE_MS);
}

export function listOrOne(body: unknown, name: string): readonly unknown[] {
  if (Array.isArray(body)) return body;
  const answer = asObject(body, name);
  return name in answer ? readValues(answer, name) : [answer];
}
