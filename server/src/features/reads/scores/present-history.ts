// Scores of past days. Both forms return the same shape. Pure.
import { dialect } from '../../../platform/http/route.ts';
import { readForm1Range } from '../shared/index.ts';
import { parseForm1Types } from './parse-types.ts';
import { historyQuery, historyReply } from './schemas.ts';
import type { ScoreQuery, ScoreReadModel } from './score-read-model.ts';

const MAX_DAYS = 90; // the same as daily values in Form 1 (gap G-122)

export const history = dialect({
  query: historyQuery,
  replies: { 200: historyReply },
  parse: ({ params, query }): ScoreQuery => ({
    userId: params.user_id ?? '',
    select: 'days',
    types: parseForm1Types(query.types),
    range: readForm1Range(query, MAX_DAYS),
    includeSources: false,
  }),
  present: (readModel: ScoreReadModel) => ({ status: 200, body: { data: listRows(readModel) } }),
});

function listRows({ dates, columns }: ScoreReadModel) {
  return dates.flatMap((date, index) =>
    columns.flatMap(({ type, values }) => {
      const value = values[index] ?? null;
      return value === null ? [] : [{ date, type, value }];
    }),
  );
}
