// Scores of past days, in the one shape that both forms have of them. Pure.
import { dialect } from '../../../platform/http/route.ts';
import { readForm1Range } from '../shared/index.ts';
import { parseForm1Types } from './parse-types.ts';
import { historyQuery, historyReply } from './schemas.ts';
import type { ScoreQuestion, ScoreReading } from './score-reading.ts';

const MAX_DAYS = 90; // as of daily values in Form 1 (gap G-122)

export const history = dialect({
  query: historyQuery,
  replies: { 200: historyReply },
  parse: ({ params, query }): ScoreQuestion => ({
    userId: params.user_id ?? '',
    asksFor: 'days',
    types: parseForm1Types(query.types),
    range: readForm1Range(query, MAX_DAYS),
    includeSources: false,
  }),
  present: (reading: ScoreReading) => ({ status: 200, body: { data: listRows(reading) } }),
});

function listRows({ dates, columns }: ScoreReading) {
  return dates.flatMap((date, place) =>
    columns.flatMap(({ type, values }) => {
      const value = values[place] ?? null;
      return value === null ? [] : [{ date, type, value }];
    }),
  );
}
