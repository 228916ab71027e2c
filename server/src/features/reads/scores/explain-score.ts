// Explains a score of a day: its inputs, or why there is no score.
import { hash } from 'node:crypto';
import { type Absence, ENDED_DAYS_ONLY, findAbsence, type ScoreType } from '../../../domain/scores/index.ts';
import { type LocalDate, parseLocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import { AppError } from '../../../platform/errors.ts';
import { type KeptScore, readAssembledDay, readScoredDays } from '../../pipeline/scoring/index.ts';
import { type ConditionalContext, openForRead } from '../shared/index.ts';

type ExplanationQuery = { readonly userId: string; readonly type: ScoreType; readonly date: string };

export type ExplainedScore = { readonly type: ScoreType; readonly date: LocalDate } & (
  | { readonly score: KeptScore; readonly absence: null }
  | { readonly score: null; readonly absence: Absence }
);

export async function explainScore(context: ConditionalContext, query: ExplanationQuery): Promise<ExplainedScore> {
  const { type } = query;
  const date = parseLocalDate(query.date);
  if (date === null || date < FIRST_DATE || date > LAST_DATE)
    throw new AppError('invalid_parameter', { details: { issues: [BAD_DATE] } });
  const user = await openForRead(context, query.userId);
  const explained = await context.services.db.transaction(async (tx): Promise<ExplainedScore> => {
    const score = (await readScoredDays(tx, user, date, date)).get(date)?.scores.get(type);
    if (score !== undefined) return { type, date, score, absence: null };
    // Today's data is incomplete, so it cannot show why the score is missing.
    const today = createZone(user.timezone).dayAt(context.services.clock.now().getTime()).date;
    if (date === today && ENDED_DAYS_ONLY.has(type)) return { type, date, score: null, absence: WAITING };
    return { type, date, score: null, absence: findAbsence(type, await readAssembledDay(tx, user, date)) };
  });
  // A hash of the response: the reason for a missing score can change without a new data revision.
  context.revalidate(hash('sha256', JSON.stringify(explained), 'base64url'));
  return explained;
}

/** Of scores that are computed when the day has ended. */
export const WAITING: Absence = { reason: 'waiting', missing: [] };
/** The first date of all reads; the last keeps dates within what the database supports. */
const FIRST_DATE = '1900-01-01';
const LAST_DATE = '2999-12-31';
const BAD_DATE = { path: 'date', message: `must be a date such as 2026-01-31, from ${FIRST_DATE} to ${LAST_DATE}` };
