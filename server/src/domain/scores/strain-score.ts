// Cardiovascular load of a day or a workout, compressed: the higher it is, the more load the next point takes. 0: none.
import type { HeartHistogram } from '../workouts/heart-histogram.ts';
import { buildResult } from './build-result.ts';
import { toBillionths } from './exact-tenths.ts';
import type { FactorReading, ScoreResult } from './score.ts';
import {
  type Body,
  INTENSITIES,
  loadOfDailyHeartRate,
  loadOfSteps,
  loadOfWorkout,
  type WorkoutEffort,
} from './strain-load.ts';

export type StrainInputs = Body & {
  readonly workouts: readonly WorkoutEffort[];
  /** Outside workouts and sleep. Null without heart rate all day; then steps are used. */
  readonly dailyHeartRate: HeartHistogram | null;
  /** Steps outside workouts. */
  readonly otherSteps: number | null;
};

/** At this load strain is 100: slightly more than a marathon. */
export const MAX_LOAD = 600;
/** The smaller, the steeper the beginning. */
export const KNEE_LOAD = 20;

const BILLION = 1e9;

type Load = { readonly name: string; readonly load: number };

export function scoreStrain(inputs: StrainInputs): ScoreResult | null {
  const found = findLoads(inputs);
  if (found === null) return null;
  const { loads, workouts, daily } = found;
  const total = loads.reduce((sum, { load }) => sum + load, 0);
  const value = strainOfLoad(total / BILLION);
  return buildResult({
    type: 'strain_score',
    neutral: 0,
    value,
    // Strain depends only on the sum, so each part of the load is the same part of the strain.
    contributions: loads.map((one) => toContribution(one, total, value)),
    coverage: null,
    missing: daily === null ? [{ name: 'daily_activity', reason: 'no_value' }] : [],
    basis: [...workouts.map(({ basis }) => basis), ...(daily === null ? [] : [daily.basis])],
  });
}

/** The load of the day by its parts, in the units of `MAX_LOAD`. Null if the day has no data for it. */
export function listDayLoads(inputs: StrainInputs): readonly Load[] | null {
  return findLoads(inputs)?.loads.map(({ name, load }) => ({ name, load: load / BILLION })) ?? null;
}

/** In billionths. */
function findLoads(inputs: StrainInputs) {
  const workouts = inputs.workouts.map((workout) => loadOfWorkout(workout, inputs));
  const daily = findDailyLoad(inputs);
  if (workouts.length === 0 && daily === null) return null;
  const loads: Load[] = INTENSITIES.map((intensity) => ({
    name: `${intensity}_intensity`,
    load: workouts.reduce((sum, workout) => sum + workout[intensity], 0),
  }));
  // Listed even without load, so that the list shows that it added nothing.
  loads.push({ name: 'daily_activity', load: daily?.load ?? 0 });
  return { loads, workouts, daily };
}

/** On the same scale as the day's strain. */
export function strainOfWorkout(workout: WorkoutEffort, body: Body): number {
  const { high, moderate, low } = loadOfWorkout(workout, body);
  return Math.round(toBillionths(strainOfLoad((high + moderate + low) / BILLION)) / 1e8) / 10;
}

export function strainOfLoad(load: number): number {
  return (100 * Math.log1p(Math.min(load, MAX_LOAD) / KNEE_LOAD)) / Math.log1p(MAX_LOAD / KNEE_LOAD);
}

function findDailyLoad(inputs: StrainInputs): { load: number; basis: string } | null {
  const { dailyHeartRate, otherSteps } = inputs;
  if (dailyHeartRate !== null) return { load: loadOfDailyHeartRate(dailyHeartRate, inputs), basis: 'heart_rate' };
  return otherSteps === null ? null : { load: loadOfSteps(otherSteps), basis: 'steps' };
}

function toContribution({ name, load }: Load, total: number, value: number) {
  const part = total === 0 ? 0 : load / total;
  const input = load / BILLION;
  const reading: FactorReading = { name, input, usual: null, position: input, effect: part };
  return { reading, points: value * part };
}
