// Uploads a generated history as a phone does.

import { getMetricOrThrow, type MetricId } from '../../src/domain/metrics/index.ts';
import { isComputed } from '../../src/domain/metrics/record-limits.ts';
import type { SleepSession, Workout } from '../../src/domain/records/records.ts';
import type { Interval } from '../../src/domain/time/intervals.ts';
import type { DeviceHistory, History } from './generate-history.ts';
import type { JsonBody } from './test-api.ts';
import type { TestPhone } from './test-phone.ts';

/** A history also contains metrics that only clouds may report, and scores, which only the service computes. */
function isSent(metric: MetricId): boolean {
  return !isComputed(getMetricOrThrow(metric));
}

/** One upload per device; returns all rejected items. */
export async function uploadHistory(phone: TestPhone, { devices }: History): Promise<JsonBody[]> {
  const rejected: JsonBody[] = [];
  for (const [position, device] of devices.entries())
    rejected.push(...(await phone.upload(toUpload(device, `device-${position}`))).rejected);
  return rejected;
}

function toUpload({ deviceClass, items }: DeviceHistory, id: string) {
  return {
    source: { provider: 'apple_health', id, device_class: deviceClass },
    samples: items.flatMap((item) => {
      if (item.kind !== 'sample' || !isSent(item.metric)) return [];
      const { start, end, value, unit, method } = item.sample;
      return [{ metric: item.metric, ...toPeriod({ start, end }), value, unit, recording_method: method }];
    }),
    daily: items.flatMap((item) => {
      if (item.kind !== 'daily' || !isSent(item.value.metric)) return [];
      const { method, ...value } = item.value;
      return [{ ...value, recording_method: method }];
    }),
    sleep: items.flatMap((item) => (item.kind === 'sleep' ? [toSleep(item.session)] : [])),
    workouts: items.flatMap((item) => (item.kind === 'workout' ? [toWorkout(item.session)] : [])),
  };
}

function toSleep(sleep: SleepSession) {
  return {
    ...toId(sleep),
    ...toPeriod(sleep),
    stages: sleep.stages?.map(({ stage, ...period }) => ({ stage, ...toPeriod(period) })) ?? null,
    asleep_minutes: sleep.asleepMinutes,
    deep_minutes: sleep.deepMinutes,
    rem_minutes: sleep.remMinutes,
    in_bed_minutes: sleep.inBedMinutes,
    heart_rate: sleep.heartRate,
    heart_rate_variability: sleep.heartRateVariability,
    hrv_kind: sleep.hrvKind,
    skin_temperature: sleep.skinTemperature,
  };
}

function toWorkout(workout: Workout) {
  return {
    ...toId(workout),
    ...toPeriod(workout),
    sport_type: workout.sportType,
    duration_minutes: workout.durationMinutes,
    distance_km: workout.distanceKm,
    active_calories: workout.activeCalories,
    heart_rate: {
      avg_bpm: workout.avgHeartRate,
      samples: workout.heartRateSamples?.map(({ time, bpm }) => ({ timestamp: toTime(time), bpm })) ?? null,
    },
  };
}

/** A generated key that is a number is its start: the device gave no id. */
function toId({ key }: { readonly key: string }) {
  return /^\d+$/.test(key) ? {} : { id: key };
}

function toPeriod({ start, end }: Interval) {
  return { start: toTime(start), end: toTime(end) };
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
