// Workouts: energy in kilojoules, and time in heart-rate zones.

import type { HeartRateSample, Workout } from '../../domain/records/records.ts';
import type { Person, SportName } from '../../domain/sandbox/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { nameUuid } from '../names.ts';
import { KJ_PER_KCAL, toTenth, type WhoopRecord, writeInterval, writeScored } from './record.ts';
import { findStrain } from './strain.ts';

const SPORT_NAMES: Readonly<Record<SportName, string>> = {
  running: 'running',
  cycling: 'cycling',
  strength_training: 'weightlifting_msk',
  pool_swimming: 'swimming',
  yoga: 'yoga',
  hiking: 'hiking-rucking',
};
/** Lower limit of each zone as a fraction of the maximum heart rate. */
const ZONES = [
  ['zone_zero_milli', 0],
  ['zone_one_milli', 0.5],
  ['zone_two_milli', 0.6],
  ['zone_three_milli', 0.7],
  ['zone_four_milli', 0.8],
  ['zone_five_milli', 0.9],
] as const;

export function listWorkouts(view: AccountView, day: AccountDay): WhoopRecord[] {
  return day.workouts.map((workout) => {
    const id = nameUuid('whoop', view.account.seed, 'workout', workout.key);
    const body = {
      id,
      v1_id: null,
      ...writeInterval(workout),
      sport_name: SPORT_NAMES[workout.sportType as SportName],
      ...writeScored(view, workout.end, { score: () => writeScore(view.account.person, workout) }),
    };
    return { id, startMs: workout.start, body };
  });
}

function writeScore(person: Person, workout: Workout) {
  const trace = workout.heartRateSamples ?? [];
  const bpm = trace.map((sample) => sample.bpm);
  const eachMs = (workout.end - workout.start) / Math.max(1, trace.length);
  const { distanceKm, elevationGainM } = workout;
  return {
    strain: findStrain(person, bpm, eachMs / MINUTE_MS),
    average_heart_rate: Math.round(bpm.reduce((sum, beats) => sum + beats, 0) / Math.max(1, bpm.length)),
    max_heart_rate: Math.max(0, ...bpm),
    kilojoule: (workout.activeCalories ?? 0) * KJ_PER_KCAL,
    percent_recorded: 100,
    ...(distanceKm !== null && { distance_meter: Math.round(distanceKm * 1_000) }),
    ...(elevationGainM !== null && {
      altitude_gain_meter: elevationGainM,
      altitude_change_meter: toTenth(-0.02 * elevationGainM),
    }),
    zone_durations: writeZones(person, trace, eachMs),
  };
}

function writeZones({ maxBpm }: Person, trace: readonly HeartRateSample[], eachMs: number): Record<string, number> {
  return Object.fromEntries(
    ZONES.map(([name, from], index) => {
      const to = ZONES[index + 1]?.[1] ?? Number.POSITIVE_INFINITY;
      const inside = trace.filter(({ bpm }) => bpm >= from * maxBpm && bpm < to * maxBpm);
      return [name, Math.round(inside.length * eachMs)];
    }),
  );
}
