// Sleeps and workouts for tests, stored without an upload.

import type { EpochMs, HeartRateSample, SleepSession, Workout } from '../../src/domain/records/records.ts';
import type { DeviceNumber } from '../../src/domain/tenancy.ts';
import { createZone } from '../../src/domain/time/day.ts';
import { listSourceDevices } from '../../src/features/store/devices/index.ts';
import {
  prepareSleep,
  prepareWorkout,
  reconsolidateSessions,
  type SessionBatch,
  storeSessions,
} from '../../src/features/store/session-store/index.ts';
import type { UserHandle } from '../../src/features/tenancy/user-core/index.ts';
import type { Database } from '../../src/platform/db/database.ts';

type Time = string | number;

export function sleepAt(start: Time, end: Time, given: Partial<SleepSession> = {}): SleepSession {
  return {
    key: String(start),
    start: toMs(start),
    end: toMs(end),
    offsetMinutes: 0,
    stages: null,
    asleepMinutes: null,
    deepMinutes: null,
    lightMinutes: null,
    remMinutes: null,
    awakeMinutes: null,
    inBedMinutes: null,
    heartRate: null,
    heartRateVariability: null,
    hrvKind: 'rmssd',
    respiratoryRate: null,
    bloodOxygen: null,
    bodyTemperature: null,
    skinTemperature: null,
    wristTemperature: null,
    method: 'automatic',
    ...given,
  };
}

export function workoutAt(start: Time, end: Time, given: Partial<Workout> = {}): Workout {
  return {
    key: String(start),
    sportType: 'running',
    name: null,
    start: toMs(start),
    end: toMs(end),
    offsetMinutes: 0,
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
    method: 'active',
    ...given,
  };
}

/** Heart rates as [seconds after the start, bpm]. */
export function traceFrom(start: Time, ...heartRates: readonly [number, number][]): HeartRateSample[] {
  return heartRates.map(([seconds, bpm]) => ({ time: (toMs(start) + seconds * 1_000) as EpochMs, bpm }));
}

/** The records as reported by a device, before they are prepared. */
export type ReportedSessions = Partial<
  Pick<SessionBatch, 'deletedSleep' | 'deletedWorkouts'> & {
    readonly sleep: readonly SleepSession[];
    readonly workouts: readonly Workout[];
  }
>;

export function prepareSessions({ sleep = [], workouts = [], ...deleted }: ReportedSessions): SessionBatch {
  return {
    deletedSleep: [],
    deletedWorkouts: [],
    ...deleted,
    sleep: sleep.map(prepareSleep),
    workouts: workouts.map(prepareWorkout),
  };
}

/** Stores and consolidates like an upload. */
export async function reportSessions(
  db: Database,
  user: UserHandle,
  device: DeviceNumber,
  batch: ReportedSessions,
): Promise<void> {
  await db.transaction(async (tx) => {
    const stored = await storeSessions(tx, user, device, prepareSessions(batch));
    const devices = await listSourceDevices(tx, user);
    const context = { zone: createZone(user.timezone), devices, isProviderOn: () => true };
    await reconsolidateSessions(tx, user, context, { sleep: stored.touchedSleep, workouts: stored.touchedWorkouts });
    await tx.query('update users set data_revision = data_revision + 1 where id = $1', [user.userId]);
  });
}

function toMs(time: Time): EpochMs {
  return (typeof time === 'number' ? time : Date.parse(time)) as EpochMs;
}
