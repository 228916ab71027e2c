// Exports the scores of each day with their factors, decoded.
import { SCORE_TYPES } from '../../../domain/scores/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { type KeptDay, listScoredDates, readScoredDays } from '../../pipeline/scoring/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

const DAYS_PER_PAGE = 20;

export async function* exportScores(db: Queryable, user: UserHandle): AsyncGenerator<string> {
  for (let after: LocalDate | null = null; ; ) {
    const dates: LocalDate[] = await listScoredDates(db, user, after, DAYS_PER_PAGE);
    const [first, last] = [dates[0], dates.at(-1)];
    if (first === undefined || last === undefined) return;
    const days = await readScoredDays(db, user, first, last);
    for (const date of dates) {
      const day = days.get(date);
      if (day !== undefined) yield JSON.stringify(presentDay(date, day));
    }
    after = last;
  }
}

function presentDay(date: LocalDate, { scores, stressSeries }: KeptDay) {
  const details = Array.from(scores, ([type, { value: _, algorithmVersion, computedAt, ...detail }]) => [
    type,
    { ...detail, algorithm_version: algorithmVersion, computed_at: computedAt },
  ]);
  return {
    date,
    ...Object.fromEntries(SCORE_TYPES.map((type) => [type, scores.get(type)?.value ?? null])),
    details: Object.fromEntries(details),
    stress_series: stressSeries,
  };
}
