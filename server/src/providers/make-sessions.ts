// Sleeps and workouts with all that a provider does not tell left null.
import type { SleepSession, Workout } from '../domain/records.ts';

type Frame = 'key' | 'start' | 'end' | 'offsetMinutes';

export function makeSleep(told: Pick<SleepSession, Frame | 'hrvKind'> & Partial<SleepSession>): SleepSession {
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
    ...told,
  };
}

export function makeWorkout(told: Pick<Workout, Frame | 'sportType'> & Partial<Workout>): Workout {
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
    ...told,
  };
}

/** Null stays null, and 0 is 0. */
export function scale(value: number | null, divisor: number): number | null {
  return value === null ? null : value / divisor;
}
