// Training sessions as the watch recorded them. Polar mixes names with hyphens and underscores.

import type { HeartRateSample, Workout } from '../../domain/records/records.ts';
import { createDraw, type Person, type SportName } from '../../domain/sandbox/index.ts';
import { HOUR_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { nameHex } from '../names.ts';
import type { ProviderContext } from '../provider-context.ts';
import { registeredAtOf, userUrlOf } from './registration.ts';
import { DEVICE } from './watch-model.ts';
import { writeDuration, writeWall } from './write-polar-time.ts';

export type Exercise = {
  readonly id: string;
  readonly uploadedMs: number;
  readonly body: Readonly<Record<string, unknown>>;
};
/** Optional parts of the response. */
type ExerciseParts = { readonly samples: boolean; readonly zones: boolean };

const SPORTS: Readonly<Record<SportName, readonly [sport: string, detailed: string]>> = {
  running: ['RUNNING', 'ROAD_RUNNING'],
  cycling: ['CYCLING', 'ROAD_BIKING'],
  strength_training: ['STRENGTH_TRAINING', 'STRENGTH_TRAINING'],
  pool_swimming: ['SWIMMING', 'POOL_SWIMMING'],
  yoga: ['OTHER', 'YOGA'],
  hiking: ['HIKING', 'HIKING'],
};
/** Polar's numbers for sample types. */
const HEART_RATE = '0';
const SPEED = '1';
const CADENCE = '2';
const POWER = '4';
const STRIDES = '8';

export function nameExercise({ account }: AccountView, { key }: Workout): string {
  return nameHex(8, 'polar', account.seed, 'exercise', key).toUpperCase();
}

export function listExercises(
  view: AccountView,
  day: AccountDay,
  context: ProviderContext,
  parts: ExerciseParts,
): Exercise[] {
  const { zone, person } = view.account;
  return day.workouts.map((workout) => {
    const id = nameExercise(view, workout);
    const uploadedMs = Math.max(workout.end, registeredAtOf(view.account, context));
    const [sport, detailed] = SPORTS[workout.sportType as SportName];
    const trace = workout.heartRateSamples ?? [];
    const bpm = trace.map((sample) => sample.bpm);
    const body = {
      id,
      upload_time: new Date(uploadedMs).toISOString(),
      polar_user: userUrlOf(view, context),
      ...DEVICE,
      start_time: writeWall(zone, workout.start),
      start_time_utc_offset: workout.offsetMinutes,
      duration: writeDuration(workout.end - workout.start),
      calories: workout.activeCalories,
      ...(workout.distanceKm !== null && { distance: Math.round(workout.distanceKm * 1_000) }),
      heart_rate: { average: Math.round(averageOf(bpm)), maximum: Math.max(...bpm) },
      training_load: Math.round(((averageOf(bpm) - person.restingBpm) * (workout.durationMinutes ?? 0)) / 40),
      sport,
      has_route: false,
      detailed_sport_info: detailed,
      ...(workout.sportType === 'running' && { 'running-index': 51 }),
      ...(parts.zones && { heart_rate_zones: writeZones(person, trace) }),
      ...(parts.samples && { samples: writeSamples(workout, trace, person) }),
    };
    return { id, uploadedMs, body };
  });
}

function writeSamples(workout: Workout, trace: readonly HeartRateSample[], { weightKg }: Person) {
  const everyMs = everyMsOf(trace);
  const hours = (workout.end - workout.start) / HOUR_MS;
  const kmPerHour = (workout.distanceKm ?? 0) / hours;
  const draw = createDraw('polar', workout.key, 'pace');
  const paces = trace.map(() => draw.near(1, 0.05));
  const series = (type: string, write: (index: number) => number) => ({
    'recording-rate': everyMs / 1_000,
    'sample-type': type,
    data: trace.map((_, index) => write(index)).join(','),
  });
  const around = (mean: number, decimals: number) => (index: number) =>
    Number((mean * (paces[index] ?? 1)).toFixed(decimals));
  const heart = series(HEART_RATE, (index) => trace[index]?.bpm ?? 0);
  if (workout.sportType === 'running')
    return [
      heart,
      series(SPEED, around(kmPerHour, 1)),
      series(STRIDES, around(82, 0)),
      series(POWER, around(3.6 * weightKg, 0)),
    ];
  if (workout.sportType === 'cycling')
    return [
      heart,
      series(SPEED, around(kmPerHour, 1)),
      series(CADENCE, around(84, 0)),
      series(POWER, around(2.1 * weightKg, 0)),
    ];
  return [heart];
}

/** Five zones, from half of the maximum on. */
function writeZones({ maxBpm }: Person, trace: readonly HeartRateSample[]) {
  return Array.from({ length: 5 }, (_, index) => {
    const [lower, upper] = [0.5, 0.6].map((part) => Math.round((part + index / 10) * maxBpm)) as [number, number];
    const inside = trace.filter(({ bpm }) => bpm >= lower && bpm < upper);
    return {
      index: index + 1,
      'lower-limit': lower,
      'upper-limit': upper,
      'in-zone': writeDuration(inside.length * everyMsOf(trace)),
    };
  });
}

function everyMsOf([first, second]: readonly HeartRateSample[]): number {
  return first === undefined || second === undefined ? 1_000 : second.time - first.time;
}

function averageOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
