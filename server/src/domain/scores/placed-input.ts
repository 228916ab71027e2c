// An input with its position on the factor's curve, or the reason why it is missing.

import type { HrvKind } from '../records/records.ts';
import { type Baseline, type BaselineRule, standardize } from './baseline.ts';
import type { Curve } from './curve.ts';
import type { Lack, Usual } from './score.ts';

export type PlacedInput = {
  readonly input: number;
  readonly position: number;
  readonly usual: Usual | null;
  /** Set if the curve depends on the user; otherwise the factor's curve is used. */
  readonly curve?: Curve;
  readonly hrvKind?: HrvKind;
};

/**
 * A value and the baseline of its series: the same metric and, for heart rate variability, the same device and kind.
 */
export type Measured = {
  readonly value: number | null;
  readonly baseline: Baseline | null;
  readonly hrvKind?: HrvKind;
};

/** `position` is the position on the curve if the curve uses another unit. */
export function placeValue(input: number | null, position: number | null = input, curve?: Curve): PlacedInput | Lack {
  if (input === null || position === null) return 'no_value';
  return { input, position, usual: null, ...(curve !== undefined && { curve }) };
}

/** Position in spreads above the baseline. */
export function placeBySpread(rule: BaselineRule, { value, baseline, hrvKind }: Measured): PlacedInput | Lack {
  const placed = placeAgainst(rule, value, baseline, standardize);
  return typeof placed === 'object' && hrvKind !== undefined ? { ...placed, hrvKind } : placed;
}

/** Position as the difference from the baseline, in the input's unit. */
export function placeByDifference(rule: BaselineRule, { value, baseline }: Measured): PlacedInput | Lack {
  return placeAgainst(rule, value, baseline, (_, input, { mean }) => input - mean);
}

function placeAgainst(
  rule: BaselineRule,
  value: number | null,
  baseline: Baseline | null,
  index: (rule: BaselineRule, value: number, baseline: Baseline) => number,
): PlacedInput | Lack {
  if (value === null) return 'no_value';
  if (baseline === null) return 'no_baseline';
  return { input: value, position: index(rule, value, baseline), usual: describeUsual(rule, baseline) };
}

function describeUsual({ scale = 'linear' }: BaselineRule, { mean, spread }: Baseline): Usual {
  return { mean: scale === 'log' ? Math.exp(mean) : mean, spread, scale };
}
