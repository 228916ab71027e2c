// A page of sleeps together with the recoveries of the same time. Fields: https://developer.whoop.com/api#tag/Sleep (stage
// totals in ms) and https://developer.whoop.com/api#tag/Recovery.

import type { SleepSession } from '../../domain/records/records.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { MapContext } from '../contract.ts';
import { makeSleep, scale } from '../make-sessions.ts';
import { collectRecords, type ProviderRecords, type RecordCollector } from '../provider-records.ts';
import { type JsonObject, readFlag, readId, readNumber, readPart, required } from '../read-json.ts';
import { type Frame, readFrame, wakeDate } from './read-frame.ts';
import { listRecords, readScore } from './resources/collection.ts';

export function mapNights(recoveries: unknown, { calledBy, zone }: MapContext): ProviderRecords {
  const into = collectRecords();
  const bySleep = new Map<string | null, JsonObject | null>();
  into.each(listRecords(recoveries), (recovery) => {
    bySleep.set(readId(recovery, 'sleep_id'), readScore(recovery));
  });
  into.each(listRecords(calledBy), (sleep) => {
    const key = required(readId(sleep, 'id'), 'id');
    const frame = readFrame(sleep, zone);
    const recovery = bySleep.get(key) ?? null; // naps have none
    const score = readScore(sleep);
    into.sleep(toSession(key, frame, score, recovery));
    if (readFlag(sleep, 'nap') !== true) into.daily('awakenings', wakeDate(frame), readDisturbances(score), 'count');
    if (recovery !== null) collectDay(into, wakeDate(frame), recovery);
  });
  return into.records();
}

function toSession(key: string, frame: Frame, score: JsonObject | null, recovery: JsonObject | null): SleepSession {
  const stages = score === null ? null : readPart(score, 'stage_summary');
  const ms = (name: string) => (stages === null ? null : readNumber(stages, `total_${name}_milli`));
  const minutes = (name: string) => scale(ms(name), MINUTE_MS);
  const light = ms('light_sleep_time');
  const deep = ms('slow_wave_sleep_time');
  const rem = ms('rem_sleep_time');
  const asleep = light === null || deep === null || rem === null ? null : light + deep + rem;
  const ofNight = (name: string) => (recovery === null ? null : readNumber(recovery, name));
  return makeSleep({
    key,
    ...frame,
    asleepMinutes: scale(asleep, MINUTE_MS),
    lightMinutes: minutes('light_sleep_time'),
    deepMinutes: minutes('slow_wave_sleep_time'),
    remMinutes: minutes('rem_sleep_time'),
    awakeMinutes: minutes('awake_time'),
    inBedMinutes: minutes('in_bed_time'),
    heartRateVariability: ofNight('hrv_rmssd_milli'), // ms
    hrvKind: 'rmssd',
    respiratoryRate: score === null ? null : readNumber(score, 'respiratory_rate'), // breaths/min
    bloodOxygen: ofNight('spo2_percentage'), // %
    skinTemperature: ofNight('skin_temp_celsius'), // °C
  });
}

/** Interruptions of sleep: without a hypnogram there is no other source. */
function readDisturbances(score: JsonObject | null): number | null {
  const stages = score === null ? null : readPart(score, 'stage_summary');
  return stages === null ? null : readNumber(stages, 'disturbance_count');
}

/** Measured during sleep only; there is no other value of the day. `recovery_score` is WHOOP's own score. */
function collectDay(into: RecordCollector, date: string, recovery: JsonObject): void {
  into.daily('resting_heart_rate', date, readNumber(recovery, 'resting_heart_rate'), 'bpm');
  into.daily('heart_rate_variability_rmssd', date, readNumber(recovery, 'hrv_rmssd_milli'), 'ms');
  into.daily('blood_oxygen', date, readNumber(recovery, 'spo2_percentage'), '%');
  into.daily('skin_temperature', date, readNumber(recovery, 'skin_temp_celsius'), '°C');
}
