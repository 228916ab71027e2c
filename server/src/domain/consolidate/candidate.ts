// Input and result of consolidating one metric on one day.
import type { QuarterHours } from '../time/quarter-hours.ts';
import type { RankedDevice } from './ranking.ts';

/** One device's value and samples for one metric on one day. */
export type Candidate = {
  readonly device: RankedDevice;
  /** False if the provider is disabled, globally or for this metric. */
  readonly isEnabled: boolean;
  /** The device's daily value (`deviceDailyTotal`); null if it has none. */
  readonly total: number | null;
  /** The total was imported from another vendor's device, so it counts only if no other provider has a value. */
  readonly isImported?: boolean;
  /** The device's samples in that local day, for totals stored as samples. */
  readonly quarterHours: QuarterHours;
  /** UTC hours with a heart-rate measurement; set only if the merge needs them. */
  readonly wornHours?: ReadonlySet<number> | undefined;
  /** For body measurements: when the value was measured or entered; null if only the day is known. */
  readonly entry?: Entry | null;
};

export type Entry = { readonly at: number; readonly isManual: boolean };

export const OUTCOME_REASONS = {
  used: 'its value is used, alone or together with others',
  partly_used: 'other devices provide part of its time',
  outranked: 'a higher-ranked device provides the value',
  other_record: 'another record of the same sleep or workout is canonical, see records',
  superseded: 'a manual entry later that day is used instead',
  imported_copy: "it was imported from another vendor's device, and another provider has a value",
  re_export: 'it repeats what the connected account of the same vendor reports',
  smaller: 'another provider has a larger value, or the same value and a higher rank',
  disabled: 'its provider is disabled in these settings',
  parts_known: 'the parts of this sum are known, so the service adds them up',
  no_value: 'it has no value for this day',
} as const;
export type ConsolidationOutcome = keyof typeof OUTCOME_REASONS;

export const DECISION_REASONS = {
  sample_spread:
    'the sample is longer than an hour: it includes what other devices counted in its time, and the rest is spread over the time they do not cover',
  zeros_not_counted:
    'zeros without evidence that the device was worn (no heart rate and no count within the hour), while another device counted',
  manual_entry: 'it was entered manually after the measurement of the device that ranks first',
} as const;

/** A decision about some of a device's samples. */
export type Decision = {
  readonly kind: keyof typeof DECISION_REASONS;
  readonly start: number;
  readonly end: number;
  readonly value: number;
  /** The part of the value that is in the result. */
  readonly counted: number | null;
};

/** The number of quarter hours in a day: enough to explain, and bounded. */
export const MAX_DECISIONS = 96;

export type CandidateOutcome = {
  readonly device: RankedDevice;
  readonly outcome: ConsolidationOutcome;
  /** The device's part of the result; null if it contributes nothing. For `avg`, its value before dividing. */
  readonly contributed: number | null;
  readonly decisions: readonly Decision[];
};

export type Consolidated = {
  /** Null if no enabled device has a value. */
  readonly value: number | null;
  /** Best first: the first one is `source` (gap G-36). */
  readonly contributors: readonly RankedDevice[];
  /** Every candidate, best first. Computed on demand, because storing a value does not need it. */
  readonly outcomes: readonly CandidateOutcome[];
};

export type CandidateShare = { readonly candidate: Candidate; readonly amount: number; readonly isWhole: boolean };

/**
 * What one method decided for the enabled candidates with a value, best first. A candidate in neither list was
 * outranked.
 */
export type Choice = {
  readonly value: number;
  readonly shares: readonly CandidateShare[];
  readonly smaller?: readonly Candidate[];
  readonly superseded?: Candidate;
  readonly decisionsOf?: (candidate: Candidate) => readonly Decision[];
};

export function hasValue(candidate: Candidate): boolean {
  return candidate.total !== null || hasSamples(candidate);
}

/** Only totals can be imported copies; samples are always the device's. */
export function isCopy(candidate: Candidate): boolean {
  return candidate.isImported === true && !hasSamples(candidate);
}

export function hasSamples({ quarterHours: { indexes, long } }: Candidate): boolean {
  return indexes.length + long.length > 0;
}

/** The device's total, or the sum of its samples if the candidate was built without a total. */
export function candidateValue({ total, quarterHours }: Candidate): number {
  if (total !== null) return total;
  const inLong = quarterHours.long.reduce((sum, { value, divided }) => sum + (divided?.counted ?? value), 0);
  return quarterHours.sums.reduce((sum, part) => sum + part, inLong);
}
