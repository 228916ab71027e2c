// Workouts with their summaries: numbers as strings, and a link to the recording.
import type { Workout } from '../../domain/records/records.ts';
import type { SportName } from '../../domain/sandbox/index.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { nameInteger } from '../names.ts';
import { nameFile } from './file-routes.ts';

export type WahooWorkout = {
  readonly id: string;
  readonly startMs: number;
  readonly body: Readonly<Record<string, unknown>>;
};

const TYPES: Readonly<Record<SportName, number>> = {
  running: 1,
  cycling: 15,
  strength_training: 42,
  pool_swimming: 25,
  yoga: 66,
  hiking: 9,
};

export function userIdOf({ account }: AccountView): number {
  return Number(nameInteger(31, 'wahoo', account.seed, 'user'));
}

export function listWorkouts(view: AccountView, day: AccountDay): WahooWorkout[] {
  return day.workouts.map((workout) => {
    const id = Number(nameInteger(40, 'wahoo', view.account.seed, 'workout', workout.key));
    const body = {
      id,
      starts: new Date(workout.start).toISOString(),
      minutes: Math.round((workout.end - workout.start) / 60_000),
      name: workout.sportType,
      plan_id: null,
      workout_token: `ELEMNT ${id}`,
      workout_type_id: TYPES[workout.sportType as SportName],
      workout_summary: writeSummary(view, workout, id),
    };
    return { id: String(id), startMs: workout.start, body };
  });
}

function writeSummary({ account }: AccountView, workout: Workout, id: number) {
  const bpm = (workout.heartRateSamples ?? []).map((sample) => sample.bpm);
  const seconds = (workout.end - workout.start) / 1_000;
  const mean = bpm.length === 0 ? null : bpm.reduce((sum, one) => sum + one, 0) / bpm.length;
  return {
    id: id + 1,
    ascent_accum: write(workout.elevationGainM),
    calories_accum: write(workout.activeCalories),
    distance_accum: write(workout.distanceKm === null ? null : workout.distanceKm * 1_000),
    duration_active_accum: write(seconds),
    duration_paused_accum: write(0),
    duration_total_accum: write(seconds),
    heart_rate_avg: write(mean),
    power_avg: null,
    time_zone: account.zone.name,
    manual: false,
    edited: false,
    file: { url: `https://cdn.wahooligan.com${nameFile(workout, mean)}` },
    fitness_app_id: 5,
  };
}

function write(value: number | null): string | null {
  return value === null ? null : value.toFixed(2);
}
