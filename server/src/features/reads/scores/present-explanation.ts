// Formats the explanation of a score for the API. Pure.

import { roundTo } from '../../../domain/round-to.ts';
import {
  ABSENCE_REASONS,
  EXPLANATION_DECIMALS,
  type FactorReading,
  SCORE_BANDS,
  type ScoreFactor,
  type ScoreType,
  type Usual,
} from '../../../domain/scores/index.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import type { KeptScore } from '../../pipeline/scoring/index.ts';
import type { ExplainedScore } from './explain-score.ts';
import { findFactorNote } from './factor-notes.ts';

export function presentExplanation({ type, date, score, absence }: ExplainedScore) {
  return {
    type,
    date,
    ...(score === null ? NO_SCORE : presentScore(type, score)),
    missing: score === null ? absence.missing : score.explanation.missing,
    absence: absence === null ? null : { reason: absence.reason, message: ABSENCE_REASONS[absence.reason] },
  };
}

const NO_SCORE = {
  value: null,
  neutral: null,
  band: null,
  computed_at: null,
  algorithm_version: null,
  coverage: null,
  factors: [],
  basis: null,
};

function presentScore(type: ScoreType, score: KeptScore) {
  const { value, neutral, computedAt, algorithmVersion, coverage, factors, explanation } = score;
  const readings = new Map(explanation.readings.map((reading) => [reading.name, reading]));
  return {
    value,
    neutral,
    band: SCORE_BANDS[type]?.findLast(({ from }) => value >= from)?.name ?? null,
    computed_at: formatInstant(new Date(computedAt)),
    algorithm_version: algorithmVersion,
    coverage,
    factors: factors.map((factor) => presentFactor(type, factor, readings.get(factor.name) ?? null)),
    basis: explanation.basis ?? null,
  };
}

function presentFactor(type: ScoreType, factor: ScoreFactor, reading: FactorReading | null) {
  const { about, unit } = findFactorNote(type, factor.name);
  return {
    name: factor.name,
    contribution: factor.contribution,
    direction: factor.direction,
    about,
    input: roundOrNull(reading?.input),
    unit,
    usual: presentUsual(reading?.usual ?? null),
    position: roundOrNull(reading?.position),
    effect: roundOrNull(reading?.effect),
    ...(reading?.hrvKind !== undefined && { hrv_kind: reading.hrvKind }),
  };
}

function presentUsual(usual: Usual | null) {
  if (usual === null) return null;
  return {
    mean: roundTo(usual.mean, EXPLANATION_DECIMALS),
    spread: roundTo(usual.spread, EXPLANATION_DECIMALS),
    scale: usual.scale,
  };
}

function roundOrNull(value: number | undefined): number | null {
  return value === undefined ? null : roundTo(value, EXPLANATION_DECIMALS);
}
