// Converts exact contributions to the published result: rounded, with directions.
import { roundToTenths } from './exact-tenths.ts';
import type { Direction, FactorReading, MissingFactor, ScoreResult, ScoreType } from './score.ts';

export type Contribution = { readonly reading: FactorReading; readonly points: number };

type ExactScore = {
  readonly type: ScoreType;
  readonly neutral: number;
  readonly value: number;
  readonly contributions: readonly Contribution[];
  readonly coverage: number | null;
  readonly missing: readonly MissingFactor[];
  readonly basis?: readonly string[];
};

/** A contribution of less than a point is noise: half a spread from the mean has no larger effect. */
const NEUTRAL_BELOW_TENTHS = 10;

export function buildResult({
  type,
  neutral,
  value,
  contributions,
  coverage,
  missing,
  basis,
}: ExactScore): ScoreResult {
  const tenths = roundToTenths(
    value,
    neutral,
    contributions.map(({ points }) => points),
  );
  const readings = contributions.map(({ reading }) => reading);
  return {
    type,
    value: tenths.value / 10,
    neutral,
    factors: readings.map(({ name }, index) => toFactor(name, tenths.contributions[index] ?? 0)),
    coverage,
    explanation: { readings, missing, ...(basis !== undefined && { basis }) },
  };
}

function toFactor(name: string, tenths: number) {
  return { name, contribution: tenths / 10, direction: findDirection(tenths) };
}

function findDirection(tenths: number): Direction {
  if (Math.abs(tenths) < NEUTRAL_BELOW_TENTHS) return 'neutral';
  return tenths > 0 ? 'positive' : 'negative';
}
