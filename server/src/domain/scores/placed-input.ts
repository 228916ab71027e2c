// An input placed on its factor's curve, or the reason why it is not there.

import type { HrvKind } from '../records/records.ts';
import { type Baseline, type BaselineRule, standardize } from './baseline.ts';
import type { Curve } from './curve.ts';
import type { Lack, Usual } from './score.ts';

export type PlacedInput = {
  readonly input: number;
  readonly position: number;
  readonly usual: Usual | null;
  /** Where the curve depends on the person; else the factor's own. */
  readonly curve?: Curve;
  readonly hrvKind?: HrvKind;
};

/** A value and what is usual in its series: the same metric, of heart rate variability also the same device and kind. */
export type Measured = {
  readonly value: number | null;
  readonly baseline: Baseline | null;
  readonly hrvKind?: HrvKind;
};

/** Where the curve is in a unit of its own, `position` says where on it. */
export function placeValue(input: number | null, position: number | null = input, curve?: Curve): PlacedInput | Lack {
  if (input === null || position === null) return 'no_value';
  return { input, position, usual: null, ...(curve !== undefined && { curve }) };
}

/** In spreads above what is usual. */
export function placeBySpread(rule: BaselineRule, { value, baseline, hrvKind }: Measured): PlacedInput | Lack {
  const placed = placeAgainst(rule, value, baseline, standardize);
  return typeof placed === 'object' && hrvKind !== undefined ? { ...placed, hrvKind } : placed;
}

/** As a difference from what is usual, in the input's unit. */
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
