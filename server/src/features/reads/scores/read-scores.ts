// Reads the scores of a user: the newest of each type, or those of a date range.

import { listDays } from '../../../domain/packed/month-sheets/index.ts';
import type { ScoreType } from '../../../domain/scores/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { readNewestScores, readScoreValues, type ScoreValues } from '../../pipeline/scoring/index.ts';
import { type ConditionalContext, openForRead, resolveForm2Range } from '../shared/index.ts';
import type { ScoreColumn, ScoreQuery, ScoreReadModel } from './score-read-model.ts';

export async function readScores(context: ConditionalContext, query: ScoreQuery): Promise<ScoreReadModel> {
  const { db, clock } = context.services;
  const user = await openForRead(context, query.userId);
  if (query.select === 'newest') {
    context.revalidate(String(user.dataRevision));
    return { newest: await readNewestScores(db, user), dates: [], columns: [], includeSources: false };
  }
  const { types, range, includeSources } = query;
  const { from, to } = 'from' in range ? range : resolveForm2Range(range, user.timezone, clock.now());
  // Includes the dates: without dates in the query, the same request returns other days tomorrow.
  context.revalidate(`${user.dataRevision}.${from}.${to}`);
  const values = await readScoreValues(db, user, from, to);
  const dates = listDays(from, to);
  return { newest: [], dates, columns: types.map((type) => collectColumn(values, dates, type)), includeSources };
}

function collectColumn(
  values: ReadonlyMap<LocalDate, ScoreValues>,
  dates: readonly LocalDate[],
  type: ScoreType,
): ScoreColumn {
  return { type, values: dates.map((date) => values.get(date)?.[type] ?? null) };
}
