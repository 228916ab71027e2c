// A score: a number from 0 to 100, its factors, and the input of each factor.
import type { HrvKind } from '../records/records.ts';

/** Increases with every change that can change a number. Stored with each score. */
export const ALGORITHM_VERSION = 1;

export const SCORE_TYPES = [
  'recovery_score',
  'strain_score',
  'sleep_score',
  'stress_score',
  'nutrition_score',
  'energy_reserve_score',
] as const;
export type ScoreType = (typeof SCORE_TYPES)[number];

/** Computed for the current day while it is still in progress. */
export const DAY_SCORES: ReadonlySet<ScoreType> = new Set(['strain_score', 'stress_score', 'energy_reserve_score']);
/** Computed only after the day has ended, when all food is logged. */
export const ENDED_DAYS_ONLY: ReadonlySet<ScoreType> = new Set(['nutrition_score']);

/** The effect on the value, not a judgement: a factor that lowers stress is `negative`. */
export type Direction = 'positive' | 'neutral' | 'negative';

export type ScoreFactor = { readonly name: string; readonly contribution: number; readonly direction: Direction };

/** The baseline of the user, in the input's unit. `log`: the spread is a ratio, 0.14 being about 14 percent. */
export type Usual = { readonly mean: number; readonly spread: number; readonly scale: 'linear' | 'log' };

export type FactorReading = {
  readonly name: string;
  readonly input: number;
  readonly usual: Usual | null;
  /** The position of the input on the factor's curve: in spreads above the baseline, or in the curve's unit. */
  readonly position: number;
  /**
   * From −1 to 1: the fraction of its budget that the factor uses. For strain: of all load; for a drain: of the wake-up
   * level.
   */
  readonly effect: number;
  /** For heart rate variability. */
  readonly hrvKind?: HrvKind;
};

export type Lack = 'no_value' | 'no_baseline';
export type MissingFactor = { readonly name: string; readonly reason: Lack };

/** Of inputs, positions and effects: enough to recompute contributions to the tenth. */
export const EXPLANATION_DECIMALS = 4;

export type ScoreExplanation = {
  readonly readings: readonly FactorReading[];
  readonly missing: readonly MissingFactor[];
  /** Strain only: the data that each workout's load, then the rest of the day's load, comes from. */
  readonly basis?: readonly string[];
};

export type ScoreResult = {
  readonly type: ScoreType;
  /** 0 to 100 with one decimal. Equals `neutral` plus the contributions, exactly in tenths. */
  readonly value: number;
  /** The value if every factor is at its neutral point. */
  readonly neutral: number;
  readonly factors: readonly ScoreFactor[];
  /**
   * Percent of the score's weight whose input is known. Null for strain, because a sum of recorded load does not know
   * what it missed.
   */
  readonly coverage: number | null;
  readonly explanation: ScoreExplanation;
};

/** Norms for children are not known well enough. */
const MIN_AGE_YEARS = 14;

/** No scores before the 14th birthday; an unknown age counts as adult. */
export function isOldEnough(ageYears: number | null): boolean {
  return ageYears === null || ageYears >= MIN_AGE_YEARS;
}
