// Scores that would change, computed in a transaction that its caller rolls back.
import { SCORE_TYPES, type ScoreType } from '../../../domain/scores/index.ts';
import { addDays, type DateRange, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { queueDays } from './queue-store.ts';
import { scoreQueuedDays } from './score-days.ts';
import { readScoreValues, type ScoreValues } from './score-store.ts';
import { readQueueEntry, saveQueueEntry } from './store.ts';

/** Scoring takes about 3 ms per day; a longer preview would delay the page. */
const PREVIEWED_DAYS = 30;

export type ScoreChange = {
  readonly type: ScoreType;
  readonly date: LocalDate;
  readonly from: number | null;
  readonly to: number | null;
};

/**
 * Days that wait are scored first, so that their changes are not taken for effects of `change`. The transaction must not be
 * committed.
 */
export async function previewScores(
  tx: Transaction,
  user: UserHandle,
  now: Date,
  change: () => Promise<UserHandle>,
): Promise<ScoreChange[]> {
  const today = createZone(user.timezone).dayAt(now.getTime()).date;
  const range = { from: addDays(today, 1 - PREVIEWED_DAYS), to: today };
  const waiting = await readQueueEntry(tx, user);
  if (waiting !== null && waiting.days.length > 0) await scoreDays(tx, user, waiting.days, now);
  const before = await readScoreValues(tx, user, range.from, range.to);
  const changed = await change();
  await scoreDays(tx, changed, [range], now);
  const after = await readScoreValues(tx, user, range.from, range.to);
  return compareScores(before, after);
}

async function scoreDays(tx: Transaction, user: UserHandle, days: readonly DateRange[], now: Date): Promise<void> {
  await queueDays(tx, user, days, 'decided', now); // creates the entry
  await saveQueueEntry(tx, user, { days, dayScoredAt: null, dueAt: now });
  await scoreQueuedDays(tx, user, now);
}

/** By date, then in the order of types. */
function compareScores(
  before: ReadonlyMap<LocalDate, ScoreValues>,
  after: ReadonlyMap<LocalDate, ScoreValues>,
): ScoreChange[] {
  const dates = [...new Set([...before.keys(), ...after.keys()])].sort();
  return dates.flatMap((date) =>
    SCORE_TYPES.flatMap((type) => {
      const [from, to] = [before.get(date)?.[type] ?? null, after.get(date)?.[type] ?? null];
      return from === to ? [] : [{ type, date, from, to }];
    }),
  );
}
