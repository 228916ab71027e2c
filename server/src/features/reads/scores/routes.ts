// Scores of a user: the newest, by day, and explained.

import { dialect, type Reply, type Route, route, twoFormRoute } from '../../../platform/http/route.ts';
import { Type } from '../../../platform/json-schema.ts';
import { readForm1Range } from '../shared/index.ts';
import { type ExplainedScore, explainScore } from './explain-score.ts';
import * as form1 from './form1.ts';
import * as form2 from './form2.ts';
import { parseHistoryTypes } from './parse-types.ts';
import { presentExplanation } from './present-explanation.ts';
import { readScores } from './read-scores.ts';
import { explainQuery, explanation, historyQuery, historyReply } from './schemas.ts';
import type { ScoreQuery, ScoreReadModel } from './score-read-model.ts';

const tag = 'Data reads';
/** They change a few times a day (specification, "What the service does" 10). */
const CACHE_SECONDS = 300;
const MAX_HISTORY_DAYS = 90; // the same as daily values in Form 1 (gap G-122)

export const scoreRoutes: readonly Route[] = [
  twoFormRoute({
    method: 'GET',
    path: '/v1/users/:user_id/scores',
    operationId: 'readScores',
    tag,
    summary: 'Read scores: the newest of each type with its factors (Form 1), or a date range (Form 2)',
    description: 'Form 2 accepts up to 366 days per request. You may cache the response for five minutes.',
    access: { to: 'api_key_or_own_user', billing: 'checked', userParameter: 'user_id' },
    healthDataOf: 'path_user',
    dialects: { 1: form1.scores, 2: form2.scores },
    isConditional: true,
    cost: 'large_read',
    cacheSeconds: CACHE_SECONDS,
    errors: ['not_found', 'invalid_range', 'invalid_types'],
    handle: readScores,
  }),
  route({
    method: 'GET',
    path: '/v1/users/:user_id/scores/history',
    operationId: 'readScoreHistory',
    tag,
    summary: 'Read the scores of past days, up to 90 days per request',
    description:
      'Returns one row per day and score. Days without a score are omitted. Both forms return the same fields and use `start_date` and `end_date`.',
    access: { to: 'api_key_or_own_user', billing: 'checked', userParameter: 'user_id' },
    healthDataOf: 'path_user',
    query: historyQuery,
    replies: { 200: historyReply },
    parse: ({ params, query }): ScoreQuery => ({
      userId: params.user_id,
      select: 'days',
      types: parseHistoryTypes(query.types),
      range: readForm1Range(query, MAX_HISTORY_DAYS),
      includeSources: false,
    }),
    present: (readModel: ScoreReadModel) => ({ status: 200, body: { data: listRows(readModel) } }),
    isConditional: true,
    cost: 'large_read',
    cacheSeconds: CACHE_SECONDS,
    errors: ['not_found', 'invalid_types', 'range_too_long'],
    handle: readScores,
  }),
  twoFormRoute({
    method: 'GET',
    path: '/v1/users/:user_id/scores/explain',
    operationId: 'explainScore',
    tag: 'Explanations',
    summary: 'Explain a score: its inputs, the usual values and the effect of each factor, or why there is no score',
    description:
      'Contributions of the factors add up to the value. `missing` lists inputs that were not available, `absence` says why there is no score.',
    access: { to: 'api_key', billing: 'checked' },
    healthDataOf: 'path_user',
    dialects: {
      1: dialect({
        params: ['user_id'],
        query: explainQuery,
        replies: { 200: Type.Object({ data: explanation }, { title: 'ScoreExplanationEnvelopeForm1' }) },
        parse: ({ params, query }) => ({ userId: params.user_id, ...query }),
        present: (explained: ExplainedScore): Reply => ({
          status: 200,
          body: { data: presentExplanation(explained) },
        }),
      }),
      2: dialect({
        params: ['user_id'],
        query: explainQuery,
        replies: { 200: explanation },
        parse: ({ params, query }) => ({ userId: params.user_id, ...query }),
        present: (explained: ExplainedScore): Reply => ({ status: 200, body: presentExplanation(explained) }),
      }),
    },
    isConditional: true,
    cost: 'large_read',
    errors: ['not_found'],
    handle: explainScore,
  }),
];

function listRows({ dates, columns }: ScoreReadModel) {
  return dates.flatMap((date, index) =>
    columns.flatMap(({ type, values }) => {
      const value = values[index] ?? null;
      return value === null ? [] : [{ date, type, value }];
    }),
  );
}
