// Reads the factors of every score day by day, to see when a change began, and explains the last day.
import { listDays } from '../../../domain/packed/month-sheets/index.ts';
import {
  ENDED_DAYS_ONLY,
  findAbsence,
  SCORE_TYPES,
  type ScoreInputs,
  type ScoreType,
} from '../../../domain/scores/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { type KeptScore, readAssembledDay, readScoredDays } from '../../pipeline/scoring/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { type DateRange, openForRead, type ReadContext } from '../shared/index.ts';
import { type ExplainedScore, WAITING } from './explain-score.ts';

export type MatrixQuery = { readonly userId: string; readonly range: DateRange };
export type ScoreMatrix = {
  readonly dates: readonly LocalDate[];
  readonly rows: readonly {
    readonly type: ScoreType;
    /** One per date; null where the day has no score. */
    readonly scores: readonly (KeptScore | null)[];
    /** Of the last date. */
    readonly explained: ExplainedScore;
  }[];
};

export async function readScoreMatrix(context: ReadContext, { userId, range }: MatrixQuery): Promise<ScoreMatrix> {
  const user = await openForRead(context, userId);
  const today = createZone(user.timezone).dayAt(context.services.clock.now().getTime()).date;
  return context.services.db.transaction(async (tx) => {
    const days = await readScoredDays(tx, user, range.from, range.to);
    const explain = await openExplaining(tx, user, range.to, today);
    const dates = listDays(range.from, range.to);
    return {
      dates,
      rows: SCORE_TYPES.map((type) => {
        const scores = dates.map((date) => days.get(date)?.scores.get(type) ?? null);
        return { type, scores, explained: explain(type, scores.at(-1) ?? null) };
      }),
    };
  });
}

/** Reads the inputs of the day once, even if several scores are absent. */
async function openExplaining(tx: Transaction, user: UserHandle, date: LocalDate, today: LocalDate) {
  const inputs: ScoreInputs | null = await readAssembledDay(tx, user, date);
  return (type: ScoreType, score: KeptScore | null): ExplainedScore => {
    if (score !== null) return { type, date, score, absence: null };
    const isWaiting = date === today && ENDED_DAYS_ONLY.has(type);
    return { type, date, score: null, absence: isWaiting ? WAITING : findAbsence(type, inputs) };
  };
}
