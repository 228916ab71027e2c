// What a score is: a number from 0 to 100, what it is made of, and what each part was read from.
import type { HrvKind } from '../records/records.ts';

/** Grows with every change that can change a number. Stored beside each score. */
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

/** What it does to the value, no judgement: a factor that lowers stress is `negative`. */
export type Direction = 'positive' | 'neutral' | 'negative';

export type ScoreFactor = { readonly name: string; readonly contribution: number; readonly direction: Direction };

/** What is usual for the person, in the input's own unit. `log`: the spread is a ratio, 0.14 being about 14 percent. */
export type Usual = { readonly mean: number; readonly spread: number; readonly scale: 'linear' | 'log' };

export type FactorReading = {
  readonly name: string;
  readonly input: number;
  readonly usual: Usual | null;
  /** Where the input stands on the factor's curve: in spreads above what is usual, or in the curve's own unit. */
  readonly position: number;
  /** From −1 to 1: the part of its budget that the factor takes. Of strain: of all load; of a drain: of the wake-up level. */
  readonly effect: number;
  /** Of heart rate variability. */
  readonly hrvKind?: HrvKind;
};

export type Lack = 'no_value' | 'no_baseline';
export type MissingFactor = { readonly name: string; readonly reason: Lack };

export type ScoreExplanation = {
  readonly readings: readonly FactorReading[];
  readonly missing: readonly MissingFactor[];
  /** Of strain only: what each workout's load was told by, then what the rest of the day's was. */
  readonly basis?: readonly string[];
};

export type ScoreResult = {
  readonly type: ScoreType;
  /** 0 to 100 with one decimal. Equals `neutral` plus the contributions, exactly in tenths. */
  readonly value: number;
  /** What the score says when every factor is at its neutral point. */
  readonly neutral: number;
  readonly factors: readonly ScoreFactor[];
  /** Percent of the score's weight that had its input. Null for strain: a sum of what was seen does not know what it missed. */
  readonly coverage: number | null;
  readonly explanation: ScoreExplanation;
};

/** Their norms are not known well enough. */
const MIN_AGE_YEARS = 14;

/** Nobody is scored before the 14th birthday; who does not tell an age is taken for an adult. */
export function isOldEnough(ageYears: number | null): boolean {
  return ageYears === null || ageYears >= MIN_AGE_YEARS;
}
