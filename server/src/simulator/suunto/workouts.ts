// Workouts as the watch recorded them, newest first, with the time of their last change.

import { createHash } from 'node:crypto';
import type { Workout } from '../../domain/records/records.ts';
import type { SportName } from '../../domain/sandbox/index.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { nameHex } from '../names.ts';
import type { ProviderContext } from '../provider-context.ts';
import { writeFitRecording } from '../write-fit-recording.ts';

/** Suunto's numbers of activities. */
const ACTIVITY_IDS: Readonly<Record<SportName, number>> = {
  running: 1,
  cycling: 2,
  strength_training: 23,
  pool_swimming: 21,
  yoga: 121,
  hiking: 11,
};

type WrittenWorkout = {
  readonly key: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly recorded: Workout;
};

export function listWorkouts(view: AccountView, { workouts }: AccountDay): WrittenWorkout[] {
  return workouts.map((workout) => ({
    key: nameWorkout(view, workout),
    startMs: workout.start,
    endMs: workout.end,
    body: writeWorkout(view, workout),
    recorded: workout,
  }));
}

function nameWorkout({ account }: AccountView, { key }: Workout): string {
  return nameHex(24, 'suunto', account.seed, 'workout', key);
}

function writeWorkout(view: AccountView, workout: Workout) {
  const bpm = (workout.heartRateSamples ?? []).map((sample) => sample.bpm);
  const avg = Math.round(bpm.reduce((sum, beats) => sum + beats, 0) / Math.max(1, bpm.length));
  const most = Math.max(0, ...bpm);
  const { maxBpm } = view.account.person;
  return {
    workoutId: 0,
    workoutKey: nameWorkout(view, workout),
    activityId: ACTIVITY_IDS[workout.sportType as SportName],
    startTime: workout.start,
    stopTime: workout.end,
    totalTime: (workout.end - workout.start) / 1_000,
    timeOffsetInMinutes: workout.offsetMinutes,
    totalDistance: (workout.distanceKm ?? 0) * 1_000,
    totalAscent: workout.elevationGainM ?? 0,
    stepCount: workout.steps ?? 0,
    energyConsumption: Math.round(workout.activeCalories ?? 0),
    hrdata: { workoutAvgHR: avg, workoutMaxHR: most, userMaxHR: maxBpm, avg, hrmax: most, max: maxBpm },
    gear: { manufacturer: 'Suunto', name: 'Suunto Race', serialNumber: '000000000001', swVersion: '2.40.38' },
  };
}

/** FIT numbers of sports. */
const FIT_SPORTS: Readonly<Record<string, number>> = { running: 1, cycling: 2, hiking: 17 };

export function writeRecording({ startMs, endMs, recorded }: WrittenWorkout): Buffer {
  const beats = recorded.heartRateSamples ?? [];
  return writeFitRecording({
    startMs,
    endMs,
    sport: FIT_SPORTS[recorded.sportType] ?? 0,
    meters: (recorded.distanceKm ?? 0) * 1_000,
    bpmAt: (ms) => beats.find(({ time }) => time >= ms)?.bpm ?? null,
  });
}

/** When the user last changed it, as far as a request could see: at first, when it was recorded. */
export function modifiedAt(
  { account, nowMs }: AccountView,
  workout: WrittenWorkout,
  { facts }: ProviderContext,
): number {
  const name = `modified/${account.seed}/${workout.key}`;
  const version = createHash('sha256').update(JSON.stringify(workout.body)).digest('base64url');
  const [known, at] = facts.get(name)?.split(' ') ?? [];
  if (known === version) return Number(at);
  const modifiedMs = known === undefined ? workout.endMs : nowMs;
  facts.set(name, `${version} ${modifiedMs}`);
  return modifiedMs;
}
