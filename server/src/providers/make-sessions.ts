// Creates sleeps and workouts with null for everything that a provider does not report.
import { getMetricOrThrow, type MetricId } from '../domain/metrics/index.ts';
import type { SleepSession, Workout } from '../domain/records/records.ts';

type Frame = 'key' | 'start' | 'end' | 'offsetMinutes';

export function makeSleep(reported: Pick<SleepSession, Frame | 'hrvKind'> & Partial<SleepSession>): SleepSession {
  return {
    stages: null,
    asleepMinutes: null,
    deepMinutes: null,
    lightMinutes: null,
    remMinutes: null,
    awakeMinutes: null,
    inBedMinutes: null,
    heartRate: null,
    heartRateVariability: null,
    respiratoryRate: null,
    bloodOxygen: null,
    bodyTemperature: null,
    skinTemperature: null,
    wristTemperature: null,
    method: 'automatic',
    ...reported,
  };
}

export function makeWorkout(reported: Pick<Workout, Frame | 'sportType'> & Partial<Workout>): Workout {
  return {
    name: null,
    durationMinutes: null,
    distanceKm: null,
    activeCalories: null,
    steps: null,
    elevationGainM: null,
    avgMets: null,
    weatherTemperatureC: null,
    weatherHumidityPct: null,
    swimmingStrokeCount: null,
    swimmingLapLengthM: null,
    avgHeartRate: null,
    maxHeartRate: null,
    sourceZones: null,
    heartRateSamples: null,
    method: 'automatic',
    ...reported,
  };
}

/** Mean of the values within the metric's range: an impossible one would distort it. */
export function meanOf(metric: string, values: readonly number[]): number | null {
  const possible = values.filter((value) => isPossible(metric, value));
  return possible.length === 0 ? null : possible.reduce((sum, value) => sum + value, 0) / possible.length;
}

/** In the unit of the catalog. */
export function isPossible(metric: string, value: number): boolean {
  const { min, max } = getMetricOrThrow(metric as MetricId).limits;
  return value >= min && value <= max;
}

/** Null stays null, and 0 is 0. */
export function scale(value: number | null, divisor: number): number | null {
  return value === null ? null : value / divisor;
}
