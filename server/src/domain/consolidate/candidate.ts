// What the choice of one (metric, day) is made from, and what comes out of it.
import type { QuarterHours } from '../time/quarter-hours.ts';
import type { RankedDevice } from './ranking.ts';

/** One device's say on one metric of one day. */
export type Candidate = {
  readonly device: RankedDevice;
  /** False where its provider is off, globally or for this metric. */
  readonly isEnabled: boolean;
  /** Its own value of the day (`ownDailyTotal`); null where it has none. */
  readonly total: number | null;
  /** The total is of another maker's device that it imported: it counts only where nobody else has a value. */
  readonly isImported?: boolean;
  /** For totals kept as samples: its samples in that local day. */
  readonly quarterHours: QuarterHours;
  /** Where a merge has to know it: UTC hours in which it measured a heart rate. */
  readonly wornHours?: ReadonlySet<number> | undefined;
  /** For body measurements: when its value was measured or entered; null where only the day is known. */
  readonly entry?: Entry | null;
};

export type Entry = { readonly at: number; readonly isManual: boolean };

export const OUTCOME_REASONS = {
  used: 'its value stands, alone or beside others',
  partly_used: 'other devices gave a part of its time',
  outranked: 'a device ranked higher gave the value',
  other_record: 'another record of the same sleep or workout is shown, see records',
  superseded: 'a person entered a value later that day',
  imported_copy: "it was imported from another maker's device, and another provider gave the value",
  smaller: 'another provider gave a larger value, or the same one and ranks higher',
  disabled: 'its provider is switched off here',
  parts_known: 'the parts of this sum are known, and the service adds them up',
  no_value: 'it has nothing for this day',
} as const;
export type Outcome = keyof typeof OUTCOME_REASONS;

export const DECISION_REASONS = {
  sample_spread:
    'the sample is longer than an hour: what other devices counted in its time is part of it, and the rest is spread over the time they left',
  zeros_not_counted:
    'zeros without evidence that the device was worn (no heart rate and no count within the hour), while another device counted',
  manual_entry: 'a person entered it later than the measurement of the device that ranks first',
} as const;

/** What was decided about some of a device's samples. */
export type Decision = {
  readonly kind: keyof typeof DECISION_REASONS;
  readonly start: number;
  readonly end: number;
  readonly value: number;
  /** What of the value is in the result. */
  readonly counted: number | null;
};

/** As many as a day has quarter hours: enough to explain, and bounded. */
export const MAX_DECISIONS = 96;

export type CandidateOutcome = {
  readonly device: RankedDevice;
  readonly outcome: Outcome;
  /** What of the result is its own; null where nothing is. For `avg` its value before dividing. */
  readonly contributed: number | null;
  readonly decisions: readonly Decision[];
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
  readonly superseded?: Candidate;
  readonly decisionsOf?: (candidate: Candidate) => readonly Decision[];
};

export function hasValue(candidate: Candidate): boolean {
  return candidate.total !== null || hasSamples(candidate);
}

/** Samples are its own. */
export function isCopy(candidate: Candidate): boolean {
  return candidate.isImported === true && !hasSamples(candidate);
}

export function hasSamples({ quarterHours: { indexes, long } }: Candidate): boolean {
  return indexes.length + long.length > 0;
}

/** Its own total; a candidate that was built without one is worth its samples. */
export function candidateValue({ total, quarterHours }: Candidate): number {
  if (total !== null) return total;
  const inLong = quarterHours.long.reduce((sum, { value, divided }) => sum + (divided?.counted ?? value), 0);
  return quarterHours.sums.reduce((sum, part) => sum + part, inLong);
}
