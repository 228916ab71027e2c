// What the choice of one (metric, day) is made from, and what comes out of it.
import type { QuarterHours } from '../quarter-hours.ts';
import type { RankedDevice } from '../ranking.ts';

/** One device's say on one metric of one day. */
export type Candidate = {
  readonly device: RankedDevice;
  /** False where its provider is off, globally or for this metric. */
  readonly isEnabled: boolean;
  /** Its own value of the day (`ownDailyTotal`); null where it has none. */
  readonly total: number | null;
  /** For totals kept as samples: its samples in that local day. */
  readonly quarterHours: QuarterHours;
};

export const OUTCOME_REASONS = {
  used: 'its value stands, alone or beside others',
  partly_used: 'a device ranked higher had samples in some of its quarter hours',
  outranked: 'a device ranked higher gave the value',
  smaller: 'another provider gave a larger value, or the same one and ranks higher',
  disabled: 'its provider is switched off here',
  parts_known: 'the parts of this sum are known, and the service adds them up',
  no_value: 'it has nothing for this day',
} as const;
export type Outcome = keyof typeof OUTCOME_REASONS;

export type CandidateOutcome = {
  readonly device: RankedDevice;
  readonly outcome: Outcome;
  /** What of the result is its own; null where nothing is. For `avg` its value before dividing. */
  readonly contributed: number | null;
};

export type Consolidated = {
  /** Null: no enabled device has a value. */
  readonly value: number | null;
  /** Best first: the first one is `source` (gap G-36). */
  readonly contributors: readonly RankedDevice[];
  /** Every candidate, best first. Told when asked: who only stores the value never does. */
  readonly outcomes: readonly CandidateOutcome[];
};

export type Share = { readonly candidate: Candidate; readonly amount: number; readonly isWhole: boolean };

/** How one method decided among the enabled candidates with a value, best first; who is in neither list was outranked. */
export type Choice = {
  readonly value: number;
  readonly shares: readonly Share[];
  readonly smaller?: readonly Candidate[];
};

export function hasValue(candidate: Candidate): boolean {
  return candidate.total !== null || hasSamples(candidate);
}

export function hasSamples(candidate: Candidate): boolean {
  return candidate.quarterHours.indexes.length > 0;
}

/** Its own total; a candidate that was built without one is worth its samples. */
export function candidateValue({ total, quarterHours }: Candidate): number {
  return total ?? quarterHours.sums.reduce((sum, part) => sum + part, 0);
}
