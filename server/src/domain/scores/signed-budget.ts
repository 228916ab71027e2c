// The common form of the scores. Around a neutral, the factors divide the range above it by their up weights and the
// range below it by their down weights. So the value stays within 0 to 100 without clipping, rises and falls with each
// effect, and a missing factor only leaves its part to the others.
import { buildResult, type Contribution } from './build-result.ts';
import { type Curve, readCurve } from './curve.ts';
import type { PlacedInput } from './placed-input.ts';
import type { Lack, MissingFactor, ScoreResult, ScoreType } from './score.ts';

type FactorRule = {
  /** Percent of the range above the neutral. */
  readonly up: number;
  /** Percent of the range below it. */
  readonly down: number;
  /** What the curve's input is, for documentation. */
  readonly input: string;
  readonly curve: Curve;
};

export type BudgetRule<Name extends string> = {
  readonly type: ScoreType;
  readonly neutral: number;
  /** In published order. Each kind of weight adds up to 100. */
  readonly factors: Readonly<Record<Name, FactorRule>>;
  /** At least one of these is required for a score. */
  readonly needsOneOf: readonly Name[];
};

type PlacedInputs<Name extends string> = Readonly<Record<Name, PlacedInput | Lack>>;

type Budget = {
  readonly value: number;
  readonly contributions: readonly Contribution[];
  readonly coverage: number;
  readonly missing: readonly MissingFactor[];
};

/** Percent. Below this, too few inputs would decide the score. */
export const MIN_COVERAGE_PERCENT = 40;

export function scoreBudget<Name extends string>(
  rule: BudgetRule<Name>,
  inputs: PlacedInputs<Name>,
): ScoreResult | null {
  const isRequiredThere = rule.needsOneOf.some((name) => typeof inputs[name] === 'object');
  if (!isRequiredThere) return null;
  const budget = divideBudget(rule, inputs);
  return budget.coverage < MIN_COVERAGE_PERCENT
    ? null
    : buildResult({ type: rule.type, neutral: rule.neutral, ...budget });
}

/** Without any factors the value is the neutral. */
export function divideBudget<Name extends string>(
  { neutral, factors }: Pick<BudgetRule<Name>, 'neutral' | 'factors'>,
  inputs: PlacedInputs<Name>,
): Budget {
  const present: Present[] = [];
  const missing: MissingFactor[] = [];
  for (const name of Object.keys(factors) as Name[]) {
    const placed = inputs[name];
    if (typeof placed === 'string') missing.push({ name, reason: placed });
    else present.push({ name, rule: factors[name], placed });
  }
  const up = present.reduce((sum, { rule }) => sum + rule.up, 0);
  const down = present.reduce((sum, { rule }) => sum + rule.down, 0);
  const contributions = present.map((factor) => contribute(factor, (100 - neutral) / up, neutral / down));
  const value = contributions.reduce((sum, { points }) => sum + points, neutral);
  return { value, contributions, coverage: (up + down) / 2, missing };
}

type Present = { readonly name: string; readonly rule: FactorRule; readonly placed: PlacedInput };

/** A factor without weight on a side has no effect there. */
function contribute({ name, rule, placed }: Present, perUp: number, perDown: number): Contribution {
  const { input, usual, position, hrvKind, curve = rule.curve } = placed;
  const effect = readCurve(curve, position);
  const points = effect > 0 ? rule.up * perUp * effect : effect < 0 ? rule.down * perDown * effect : 0;
  const reading = { name, input, usual, position, effect, ...(hrvKind !== undefined && { hrvKind }) };
  return { reading, points };
}
