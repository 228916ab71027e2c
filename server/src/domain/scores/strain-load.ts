// Cardiovascular load: minutes weighted by the fraction of the heart-rate reserve (Banister's training impulse). Each
// workout uses its best available data.

import type { Workout } from '../records/records.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { averageHeartRate, type HeartHistogram } from '../workouts/heart-histogram.ts';
import type { HeartRateRange } from '../workouts/heart-rate-range.ts';
import { workoutMinutes } from '../workouts/workout-measures.ts';
import { type BySex, pickBySex, type Sex } from './by-sex.ts';
import { toBillionths } from './exact-tenths.ts';

export type Body = {
  readonly sex: Sex | null;
  readonly weightKg: number | null;
  readonly heartRateRange: HeartRateRange;
};

export type WorkoutEffort = {
  readonly minutes: number;
  /** From its trace. */
  readonly histogram: HeartHistogram | null;
  /** The five zones of the source. */
  readonly zoneMinutes: readonly number[] | null;
  readonly averageBpm: number | null;
  readonly activeKcal: number | null;
};

/** The best available data of a workout. */
export function effortOf(workout: Workout, histogram: HeartHistogram | null): WorkoutEffort {
  return {
    minutes: workoutMinutes(workout),
    histogram,
    zoneMinutes: workout.sourceZones?.minutes ?? null,
    averageBpm: averageHeartRate(workout, histogram),
    activeKcal: workout.activeCalories,
  };
}

export const INTENSITIES = ['high', 'moderate', 'low'] as const;
type Intensity = (typeof INTENSITIES)[number];

/** Best first. */
type LoadBasis = 'heart_rate_samples' | 'zones' | 'average_heart_rate' | 'energy' | 'duration';

/** In billionths, which add up to the same sum in any order. */
type WorkoutLoad = Readonly<Record<Intensity, number>> & { readonly basis: LoadBasis };

/** Weight of a minute at the fraction x of the reserve: x · scale · e^(growth · x). */
export const MINUTE_WEIGHTS: BySex<{ readonly scale: number; readonly growth: number }> = {
  male: { scale: 0.64, growth: 1.92 },
  female: { scale: 0.86, growth: 1.67 },
  middle: { scale: 0.75, growth: 1.795 },
};

/** The weight in the middle of each zone, averaged over the sexes. */
export const ZONE_WEIGHTS: readonly { weight: number; intensity: Intensity }[] = [
  { weight: 1.107, intensity: 'low' },
  { weight: 1.566, intensity: 'low' },
  { weight: 2.162, intensity: 'moderate' },
  { weight: 2.932, intensity: 'high' },
  { weight: 3.921, intensity: 'high' },
];

/** Fractions of the reserve. */
export const HIGH_FROM = 0.8;
export const MODERATE_FROM = 0.6;
/** Below it a minute outside workouts is rest. */
export const DAILY_FROM = 0.3;

export const LOAD_PER_KCAL_PER_KG = 15;
export const LOAD_PER_MINUTE = 1;
export const LOAD_PER_STEP = 0.005;

/** A trace that covers less of the workout is less precise than its average. */
const MIN_TRACED = 0.5;

export function loadOfWorkout(effort: WorkoutEffort, body: Body): WorkoutLoad {
  const { minutes, histogram, zoneMinutes, averageBpm, activeKcal } = effort;
  if (histogram !== null && tracedMinutes(histogram) > 0 && tracedMinutes(histogram) >= MIN_TRACED * minutes) {
    return loadOfTrace(histogram, body);
  }
  if (zoneMinutes?.some((zone) => zone > 0)) return loadOfZones(zoneMinutes);
  if (averageBpm !== null) {
    const part = partOfReserve(averageBpm, body.heartRateRange);
    return oneLoad('average_heart_rate', intensityOf(part), minutes * minuteWeight(part, body.sex));
  }
  if (activeKcal !== null && body.weightKg !== null && activeKcal > 0 && body.weightKg > 0) {
    return oneLoad('energy', 'moderate', (LOAD_PER_KCAL_PER_KG * activeKcal) / body.weightKg);
  }
  return oneLoad('duration', 'moderate', LOAD_PER_MINUTE * minutes);
}

/** Heart rate outside workouts and sleep, in billionths. */
export function loadOfDailyHeartRate(histogram: HeartHistogram, { heartRateRange, sex }: Body): number {
  return histogram.reduce((sum, [bpm, heldMs]) => {
    const part = partOfReserve(bpm, heartRateRange);
    return part < DAILY_FROM ? sum : sum + loadOfReading(part, heldMs, sex);
  }, 0);
}

export function loadOfSteps(steps: number): number {
  return toBillionths(steps * LOAD_PER_STEP);
}

export function minuteWeight(part: number, sex: Sex | null): number {
  const { scale, growth } = pickBySex(MINUTE_WEIGHTS, sex);
  return part * scale * Math.exp(growth * part);
}

function loadOfTrace(histogram: HeartHistogram, { heartRateRange, sex }: Body): WorkoutLoad {
  const load = { high: 0, moderate: 0, low: 0, basis: 'heart_rate_samples' as const };
  for (const [bpm, heldMs] of histogram) {
    const part = partOfReserve(bpm, heartRateRange);
    load[intensityOf(part)] += loadOfReading(part, heldMs, sex);
  }
  return load;
}

function loadOfZones(zoneMinutes: readonly number[]): WorkoutLoad {
  const load = { high: 0, moderate: 0, low: 0, basis: 'zones' as const };
  for (const [index, { weight, intensity }] of ZONE_WEIGHTS.entries()) {
    load[intensity] += toBillionths((zoneMinutes[index] ?? 0) * weight);
  }
  return load;
}

function oneLoad(basis: LoadBasis, intensity: Intensity, load: number): WorkoutLoad {
  return { high: 0, moderate: 0, low: 0, basis, [intensity]: toBillionths(load) };
}

function loadOfReading(part: number, heldMs: number, sex: Sex | null): number {
  return toBillionths((heldMs / MINUTE_MS) * minuteWeight(part, sex));
}

/** Clamps to the range between rest and maximum. */
function partOfReserve(bpm: number, { restBpm, maxBpm }: HeartRateRange): number {
  return Math.min(1, Math.max(0, (bpm - restBpm) / (maxBpm - restBpm)));
}

function intensityOf(part: number): Intensity {
  if (part >= HIGH_FROM) return 'high';
  return part >= MODERATE_FROM ? 'moderate' : 'low';
}

function tracedMinutes(histogram: HeartHistogram): number {
  return histogram.reduce((sum, [, heldMs]) => sum + heldMs, 0) / MINUTE_MS;
}
