// The scores of a user with their factors.
import { SCORE_TYPES } from '../../../domain/scores/index.ts';
import { readScoredDays } from '../../pipeline/scoring/index.ts';
import { presentScoreExplanation } from '../scores/index.ts';
import { COMPUTED_PROVIDER, type DateRange } from '../shared/index.ts';
import type { ExportSource } from './export-source.ts';
import type { ExportedScore, Traced } from './records.ts';
import { splitRange } from './split-range.ts';

/** A day of explained scores has about ten kilobytes. */
const DAYS_PER_PAGE = 31;

export async function* readScoreRecords(
  { db, user }: ExportSource,
  range: DateRange,
): AsyncGenerator<Traced<ExportedScore>[]> {
  for (const { from, to } of splitRange(range, DAYS_PER_PAGE)) {
    const days = await readScoredDays(db, user, from, to);
    yield [...days].flatMap(([date, { scores }]) =>
      SCORE_TYPES.flatMap((type) => {
        const score = scores.get(type);
        if (score === undefined) return [];
        const { absence: _present, ...explained } = presentScoreExplanation({ type, date, score, absence: null });
        return [{ record: explained as ExportedScore, providers: [COMPUTED_PROVIDER] }];
      }),
    );
  }
}
