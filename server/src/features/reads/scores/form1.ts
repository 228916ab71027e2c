// Scores in Form 1: the newest score of each type in a `data` envelope. Pure.
import { formatInstant } from '../../../domain/time/calendar.ts';
import { dialect } from '../../../platform/http/route.ts';
import type { NewestScore } from '../../pipeline/scoring/index.ts';
import { scoresForm1Reply } from './schemas.ts';
import type { ScoreQuery, ScoreReadModel } from './score-read-model.ts';

export const scores = dialect({
  params: ['user_id'],
  replies: { 200: scoresForm1Reply },
  parse: ({ params }): ScoreQuery => ({ userId: params.user_id, select: 'newest' }),
  present: ({ newest }: ScoreReadModel) => ({ status: 200, body: { data: newest.map(presentScore) } }),
});

function presentScore({ type, value, date, computedAt, algorithmVersion, factors }: NewestScore) {
  return {
    type,
    value,
    date,
    computed_at: formatInstant(new Date(computedAt)),
    algorithm_version: algorithmVersion,
    factors,
  };
}
