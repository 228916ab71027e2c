// Resting and maximum heart rate of a user, with the fallbacks of gap G-92.
import type { LocalDate } from '../time/calendar.ts';

export type HeartRateRange = { readonly restBpm: number; readonly maxBpm: number };

export type HeartFacts = {
  /** Entered in the profile. */
  readonly enteredMaxBpm: number | null;
  /** Highest 99.9th percentile of a day in the last 365 days. */
  readonly observedMaxBpm: number | null;
  readonly ageYears: number | null;
  /** Baseline mean of the resting heart rate. */
  readonly baselineRestBpm: number | null;
};

/** The days for which an observed maximum counts, including its own. */
export const OBSERVED_MAX_DAYS = 365;
const DEFAULT_REST_BPM = 60;
const DEFAULT_MAX_BPM = 190;
/** A smaller reserve is implausible: one of the two numbers is wrong. */
const MIN_RESERVE_BPM = 60;

export function findHeartRateRange(facts: HeartFacts): HeartRateRange {
  const formulaBpm = estimateMaxBpm(facts.ageYears);
  const maxBpm = facts.enteredMaxBpm ?? Math.max(facts.observedMaxBpm ?? formulaBpm, formulaBpm);
  const restBpm = facts.baselineRestBpm ?? DEFAULT_REST_BPM;
  if (maxBpm - restBpm < MIN_RESERVE_BPM) return { restBpm: DEFAULT_REST_BPM, maxBpm: formulaBpm };
  return { restBpm, maxBpm };
}

/** The usual maximum at that age. */
export function estimateMaxBpm(ageYears: number | null): number {
  return ageYears === null ? DEFAULT_MAX_BPM : 208 - 0.7 * ageYears; // Tanaka 2001
}

/** The oldest age at which somebody can be, with birth dates from 1900 on (gap G-16). */
const MAX_AGE_YEARS = 150;
/** The age formula never gives a lower maximum, so lower observed values change nothing, whoever the user is. */
export const LOWEST_ESTIMATE_BPM = estimateMaxBpm(MAX_AGE_YEARS);

/** Whole years; null before the birth. */
export function ageYearsOn(date: LocalDate, birthDate: LocalDate): number | null {
  const years = Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4));
  const hadBirthday = date.slice(5) >= birthDate.slice(5);
  const age = hadBirthday ? years : years - 1;
  return age < 0 ? null : age;
}
