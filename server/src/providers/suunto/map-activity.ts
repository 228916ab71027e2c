// 24/7 samples of the day, about every ten minutes. SpO2 is a share (0 to 1).
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { MapContext } from '../contract.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readNumber, readPart, required } from '../read-json.ts';
import { readMoment } from '../read-time.ts';
import { listSamples } from './samples.ts';
import { HRV, INTERVALS } from './unconfirmed.ts';

const INTERVAL_MS = 10 * MINUTE_MS;

export function mapActivity(body: unknown, { parts }: MapContext): ProviderRecords {
  const into = collectRecords();
  const heartRate = into.moments('heart_rate', 'bpm');
  const bloodOxygen = into.moments('blood_oxygen', '%');
  const variability = into.moments('heart_rate_variability_rmssd', 'ms');
  into.each(listSamples(body), (sample) => {
    const { ms, offsetMinutes } = required(readMoment(sample, 'timestamp'), 'timestamp');
    const data = required(readPart(sample, 'entryData'), 'entryData');
    const saturation = readMeasured(data, 'SpO2');
    heartRate(ms, offsetMinutes, readMeasured(data, 'HR'));
    bloodOxygen(ms, offsetMinutes, saturation === null ? null : saturation * 100);
    if (parts?.has(HRV)) variability(ms, offsetMinutes, readMeasured(data, 'HRV'));
    if (parts?.has(INTERVALS))
      into.sample('steps', { start: ms, end: ms + INTERVAL_MS, offsetMinutes }, readNumber(data, 'StepCount'), 'count');
  });
  return into.records();
}

/** 0: not measured. */
function readMeasured(data: JsonObject, name: string): number | null {
  const value = readNumber(data, name);
  return value === 0 ? null : value;
}
