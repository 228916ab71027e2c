// Reads the scores that a Form 1 request for daily values names (gap G-30): scores are stored separately.

import type { Metric } from '../../../domain/metrics/index.ts';
import { SCORE_TYPES } from '../../../domain/scores/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { readScoreValues, type ScoreValues } from '../../pipeline/scoring/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { COMPUTED_PROVIDER } from '../shared/index.ts';
import type { DailyParameters, DailySeries, DaySource } from './daily-read-model.ts';

/** By metric. Reads nothing if the request names no score. */
export async function readScoreSeries(
  db: Queryable,
  user: UserHandle,
  dates: readonly LocalDate[],
  { metrics: { metrics }, includeSources }: DailyParameters,
): Promise<ReadonlyMap<Metric, DailySeries>> {
  const requested = metrics.filter(({ category }) => category === 'scores');
  const [from, to] = [dates[0], dates.at(-1)];
  if (requested.length === 0 || from === undefined || to === undefined) return new Map();
  const scores = await readScoreValues(db, user, from, to);
  return new Map(
    requested.map((metric) => {
      const values = collectScores(scores, dates, metric);
      return [metric, { metric, values, sources: includeSources ? listSources(metric, values) : null }];
    }),
  );
}

function collectScores(
  scores: ReadonlyMap<LocalDate, ScoreValues>,
  dates: readonly LocalDate[],
  metric: Metric,
): Float64Array {
  const type = SCORE_TYPES.find((one) => one === (metric.id as string));
  return Float64Array.from(dates, (date) => (type && scores.get(date)?.[type]) ?? Number.NaN);
}

function listSources(metric: Metric, values: Float64Array): DaySource[][] {
  const computed = { provider: COMPUTED_PROVIDER, deviceId: null, originalUnit: metric.unit };
  return Array.from(values, (value) => (Number.isNaN(value) ? [] : [{ ...computed, originalValue: value }]));
}
