// Data from the sensors of newer watches. All times are UTC, unlike elsewhere at Polar.

import { createDraw, momentAt } from '../../domain/sandbox/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { findNight } from './nights.ts';
import { DEVICE_ID } from './watch-model.ts';

const PERIOD_MS = 60 * MINUTE_MS;
const READING_MS = 5 * MINUTE_MS;
const SKIN_C = 34.6;
const CORE_C = 36.5;
const TEST_CHANCE = 0.4;

const toHundredth = (value: number) => Math.round(value * 100) / 100;

export function listSkinTemperatures(_view: AccountView, day: AccountDay) {
  const { temperatureDeviationC: deviation } = day.lived.condition;
  if (findNight(day) === null) return [];
  return [
    {
      sleep_time_skin_temperature_celsius: toHundredth(SKIN_C + deviation),
      deviation_from_baseline_celsius: toHundredth(deviation),
      sleep_date: day.date,
    },
  ];
}

/** One hour of every night, skin and core temperature. */
export function listBodyTemperatures(view: AccountView, day: AccountDay) {
  const night = findNight(day);
  if (night === null) return [];
  const { temperatureDeviationC: deviation } = day.lived.condition;
  const start = Math.ceil(night.start / PERIOD_MS) * PERIOD_MS;
  const draw = createDraw(view.account.seed, 'temperatures', day.date);
  const utc = (ms: number) => new Date(ms).toISOString().slice(0, 19);
  const period = (type: string, location: string, mean: number) => ({
    source_device_id: DEVICE_ID,
    measurement_type: type,
    sensor_location: location,
    start_time: utc(start),
    end_time: utc(start + PERIOD_MS),
    modified_time: utc(night.end),
    samples: Array.from({ length: PERIOD_MS / READING_MS }, (_, index) => ({
      temperature_celsius: toHundredth(draw.near(mean + deviation, 0.08)),
      recording_time_delta_milliseconds: index * READING_MS,
    })),
  });
  return [period('TM_CORE_TEMPERATURE', 'SL_PROXIMAL', CORE_C), period('TM_SKIN_TEMPERATURE', 'SL_DISTAL', SKIN_C)];
}

/** In the evening, on some days; not every test succeeds. */
export function listOxygenTests(view: AccountView, day: AccountDay) {
  const { zone, seed } = view.account;
  const { condition, offsetAt } = day.lived;
  const draw = createDraw(seed, 'oxygen test', day.date);
  const isTested = draw.isLucky(TEST_CHANCE);
  const isPassed = draw.isLucky(0.85);
  const at = momentAt(zone, day.date, Math.round(draw.between(18 * 60, 21 * 60)));
  if (!isTested || at >= day.untilMs) return [];
  return [
    {
      source_device_id: DEVICE_ID,
      test_time: at / 1_000,
      time_zone_offset: offsetAt(at),
      test_status: isPassed ? 'SPO2_TEST_PASSED' : 'SPO2_TEST_INCONCLUSIVE_TOO_LOW_OVERALL_QUALITY',
      blood_oxygen_percent: isPassed ? Math.round(condition.oxygenPct) : 0,
      spo2_class: isPassed ? 'SPO2_CLASS_NORMAL' : 'SPO2_CLASS_UNKNOWN',
      spo2_value_deviation_from_baseline: isPassed ? 'DEVIATION_USUAL' : 'DEVIATION_NO_BASELINE',
      spo2_quality_average_percent: isPassed ? 92 : 31,
      average_heart_rate_bpm: Math.round(condition.restingBpm + 8),
      heart_rate_variability_ms: Math.round(condition.hrvMs),
      spo2_hrv_deviation_from_baseline: 'DEVIATION_USUAL',
      altitude_meters: 40,
    },
  ];
}
