// Formats scores by day and factor for the dashboard. Pure.
import { SCORE_BANDS } from '../../../domain/scores/index.ts';
import type { CsvCell } from '../../../platform/csv.ts';
import { presentExplanation } from './present-explanation.ts';
import type { ScoreMatrix } from './read-matrix.ts';

type Row = ScoreMatrix['rows'][number];

export function presentMatrix({ dates, rows }: ScoreMatrix) {
  return {
    dates,
    scores: rows.map((row) => ({
      type: row.type,
      bands: SCORE_BANDS[row.type] ?? [],
      values: row.scores.map((score) => score?.value ?? null),
      neutral: row.scores.map((score) => score?.neutral ?? null),
      coverage: row.scores.map((score) => score?.coverage ?? null),
      factors: namesOf(row).map((name) => ({ name, contributions: contributionsOf(row, name) })),
      explained: presentExplanation(row.explained),
    })),
  };
}

/** One line per day, score and factor. */
export function listMatrixRows({ dates, rows }: ScoreMatrix): CsvCell[][] {
  const lines = rows.flatMap((row) =>
    dates.flatMap((date, index): CsvCell[][] => {
      const score = row.scores[index];
      if (!score) return [];
      const factors = score.factors.map(({ name, contribution }) => [date, row.type, name, contribution]);
      return [[date, row.type, 'neutral', score.neutral], ...factors, [date, row.type, 'value', score.value]];
    }),
  );
  return [['date', 'score', 'factor', 'points'], ...lines];
}

/** In the order of the newest day that has them, which is the order of the algorithm. */
function namesOf({ scores }: Row): string[] {
  return [...new Set(scores.toReversed().flatMap((score) => score?.factors.map(({ name }) => name) ?? []))];
}

function contributionsOf({ scores }: Row, name: string): (number | null)[] {
  return scores.map((score) => score?.factors.find((factor) => factor.name === name)?.contribution ?? null);
}
