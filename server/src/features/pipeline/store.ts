// All SQL of the marks for scoring.
import type { LocalDate } from '../../domain/calendar.ts';
import { statement, type Transaction } from '../../platform/db/database.ts';
import type { UserHandle } from '../subjects/index.ts';

const MARK_FOR_SCORING = statement(
  'mark_for_scoring',
  `insert into scoring_marks (user_id, from_date, to_date, marked_at) values ($1, $2, $3, $4)
   on conflict (user_id) do update set from_date = least(scoring_marks.from_date, excluded.from_date),
     to_date = greatest(scoring_marks.to_date, excluded.to_date), marked_at = excluded.marked_at`,
);

/** The days of earlier marks stay marked. */
export async function markForScoring(
  tx: Transaction,
  user: UserHandle,
  days: { readonly from: LocalDate; readonly to: LocalDate },
  now: Date,
): Promise<void> {
  await tx.query(MARK_FOR_SCORING, [user.userId, days.from, days.to, now]);
}

export async function removeScoringMarks(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query('delete from scoring_marks where user_id = $1', [user.userId]);
}
