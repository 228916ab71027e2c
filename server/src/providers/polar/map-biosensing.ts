// Elixir: blood oxygen tests and temperatures. https://www.polar.com/accesslink-api/#elixir-biosensing
import type { MapContext } from '../contract.ts';
import { placeApart } from '../place-apart.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { readList, readNumber, readText, required } from '../read-json.ts';
import { offsetAt, readDate, readEpochSeconds, readLastingMs, readOffsetNumber } from '../read-time.ts';
import { readLocalMoment } from './local-times.ts';
import { listOrOne } from './map-sleep.ts';
import { readSignal } from './read-signal.ts';

const PASSED = 'SPO2_TEST_PASSED';

/** Skips failed tests. Polar does not say which kind their heart rate variability is, so it is not mapped. */
export function mapSpo2(body: unknown): ProviderRecords {
  const records = collectRecords();
  records.each(listOrOne(body, 'spo2'), (test) => {
    if ((readText(test, 'test_status') ?? PASSED) !== PASSED) return;
    const start = required(readEpochSeconds(test, 'test_time'), 'test_time'); // s since 1970
    const offsetMinutes = readOffsetNumber(test, 'time_zone_offset', 1) ?? 0; // min
    const at = { start, offsetMinutes, method: 'active' as const };
    records.sample('blood_oxygen', at, readSignal(test, 'blood_oxygen_percent'), '%');
    // Recorded beside the continuous heart rate.
    records.sample('heart_rate', placeApart(at, 1), readSignal(test, 'average_heart_rate_bpm'), 'bpm');
  });
  return records.records();
}

/** Of the night that ended on sleep_date. */
export function mapSkinTemperature(body: unknown): ProviderRecords {
  const records = collectRecords();
  records.each(listOrOne(body, 'skintemperature'), (night) => {
    const date = required(readDate(night, 'sleep_date'), 'sleep_date');
    const celsius = readNumber(night, 'sleep_time_skin_temperature_celsius');
    records.daily('sleep_skin_temperature', date, celsius, '°C');
    const deviation = readNumber(night, 'deviation_from_baseline_celsius');
    records.daily('sleep_temperature_deviation', date, deviation, '°C');
  });
  return records.records();
}

const TEMPERATURES: Readonly<Record<string, string>> = {
  TM_CORE_TEMPERATURE: 'body_temperature',
  TM_SKIN_TEMPERATURE: 'skin_temperature',
};

/** Periods of measurements by milliseconds since the start, which is in UTC and has no offset. */
export function mapBodyTemperature(body: unknown, { zone }: MapContext): ProviderRecords {
  const records = collectRecords();
  records.each(listOrOne(body, 'bodytemperature'), (period) => {
    const metric = TEMPERATURES[readText(period, 'measurement_type') ?? ''];
    if (metric === undefined) return;
    const { start } = required(readLocalMoment(period, 'start_time', 'UTC'), 'start_time');
    records.each(readList(period, 'samples'), (sample) => {
      const afterMs = readLastingMs(sample, 'recording_time_delta_milliseconds', 1);
      const atMs = start + required(afterMs, 'recording_time_delta_milliseconds');
      const at = { start: atMs, offsetMinutes: offsetAt(zone, atMs) };
      records.sample(metric, at, readNumber(sample, 'temperature_celsius'), '°C');
    });
  });
  return records.records();
}
