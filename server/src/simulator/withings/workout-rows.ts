// Workouts with Withings' category numbers.
import type { Workout } from '../../domain/records/records.ts';
import type { SportName } from '../../domain/sandbox/index.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { DEVICES, deviceIdOf, numberOf } from './names.ts';
import { pickFields, type Row, toSeconds } from './rows.ts';
import { zoneSeconds } from './zone-seconds.ts';

const CATEGORIES: Readonly<Record<SportName, number>> = {
  running: 2,
  cycling: 6,
  strength_training: 16,
  pool_swimming: 7,
  yoga: 28,
  hiking: 3,
};
const USUAL = 'calories intensity manual_distance manual_calories hr_average hr_min hr_max'.split(' ');
const CONFIRMED = 7;

export function listWorkouts(view: AccountView, day: AccountDay, form: URLSearchParams): Row[] {
  const { seed, zone } = view.account;
  return day.workouts.map((workout) => ({
    id: numberOf(seed, 'workout', workout.key),
    category: CATEGORIES[workout.sportType as SportName],
    timezone: zone.name,
    model: DEVICES.watch.modelid,
    attrib: CONFIRMED,
    startdate: toSeconds(workout.start),
    enddate: toSeconds(workout.end),
    date: day.date,
    ...deviceIdOf(seed, 'watch'),
    modified: toSeconds(workout.end) + 60,
    data: pickFields(measure(view, workout), form, USUAL),
  }));
}

/** `manual_…` are 0 without a manual entry; `elevation` counts floors. */
function measure(view: AccountView, workout: Workout) {
  const trace = workout.heartRateSamples ?? [];
  const bpm = trace.map((sample) => sample.bpm);
  const [first, second] = trace;
  const everySeconds = first !== undefined && second !== undefined ? (second.time - first.time) / 1_000 : 0;
  const metres = workout.distanceKm === null ? 0 : Math.round(workout.distanceKm * 1_000);
  const isSwim = workout.swimmingLapLengthM !== null;
  return {
    calories: workout.activeCalories ?? 0,
    effduration: Math.round((workout.durationMinutes ?? 0) * 60),
    intensity: 50,
    manual_distance: 0,
    manual_calories: 0,
    ...(bpm.length > 0 && {
      hr_average: Math.round(bpm.reduce((sum, value) => sum + value, 0) / bpm.length),
      hr_min: Math.min(...bpm),
      hr_max: Math.max(...bpm),
      ...zoneSeconds(view, bpm, everySeconds),
    }),
    pause_duration: 0,
    algo_pause_duration: null,
    spo2_average: null,
    ...(workout.steps !== null && { steps: workout.steps }),
    ...(workout.distanceKm !== null && { distance: metres }),
    elevation: Math.round((workout.elevationGainM ?? 0) / 3),
    ...(isSwim && {
      pool_length: workout.swimmingLapLengthM,
      pool_laps: Math.round(metres / (workout.swimmingLapLengthM ?? 1)),
      strokes: workout.swimmingStrokeCount,
    }),
  };
}
