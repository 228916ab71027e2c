// Exercises, in millimetres.
import type { HeartRateSample, Workout } from '../../domain/records/records.ts';
import type { Person, SportName } from '../../domain/sandbox/index.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import type { DataPoint } from './data-point.ts';
import { googleZoneOf } from './heart-rate-zones.ts';

const TYPES: Readonly<Record<SportName, readonly [type: string, name: string]>> = {
  running: ['RUNNING', 'Run'],
  cycling: ['BIKING', 'Bike'],
  strength_training: ['STRENGTH_TRAINING', 'Strength training'],
  pool_swimming: ['SWIMMING_POOL', 'Swim'],
  yoga: ['YOGA', 'Yoga'],
  hiking: ['HIKING', 'Hike'],
};

export function listExercises({ account }: AccountView, { date, workouts }: AccountDay): DataPoint[] {
  return workouts.map((workout) => {
    const [exerciseType, displayName] = TYPES[workout.sportType as SportName];
    const { start, end, key, swimmingLapLengthM: lapMetres } = workout;
    const fields = {
      exerciseType,
      displayName,
      activeDuration: `${Math.round((workout.durationMinutes ?? 0) * 60)}s`,
      metricsSummary: summarise(workout, account.person),
      ...(lapMetres !== null && { exerciseMetadata: { poolLengthMillimeters: String(lapMetres * 1_000) } }),
    };
    return { startMs: start, endMs: end, date, key, method: 'ACTIVELY_MEASURED', fields };
  });
}

/** Zeros are omitted, as everywhere. */
function summarise(
  { start, end, activeCalories, distanceKm, steps, elevationGainM, heartRateSamples }: Workout,
  person: Person,
) {
  const trace = heartRateSamples ?? [];
  const metres = (distanceKm ?? 0) * 1_000;
  const seconds = (end - start) / 1_000;
  return {
    ...(activeCalories !== null && { caloriesKcal: activeCalories }),
    ...(metres > 0 && {
      distanceMillimeters: Math.round(metres * 1_000),
      averageSpeedMillimetersPerSecond: Math.round((metres * 1_000) / seconds),
      averagePaceSecondsPerMeter: Math.round((1_000 * seconds) / metres) / 1_000,
    }),
    ...(steps !== null && { steps: String(steps) }),
    ...(elevationGainM !== null && { elevationGainMillimeters: elevationGainM * 1_000 }),
    ...(trace.length > 0 && {
      averageHeartRateBeatsPerMinute: String(Math.round(trace.reduce((sum, { bpm }) => sum + bpm, 0) / trace.length)),
      heartRateZoneDurations: countZones(trace, person, seconds / trace.length),
    }),
  };
}

function countZones(trace: readonly HeartRateSample[], person: Person, secondsEach: number) {
  const counted = Map.groupBy(trace, ({ bpm }) => `${googleZoneOf(bpm, person)}Time`);
  return Object.fromEntries([...counted].map(([name, { length }]) => [name, `${Math.round(length * secondsEach)}s`]));
}
