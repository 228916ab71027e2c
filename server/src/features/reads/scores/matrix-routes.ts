// Scores by day and factor, for the dashboard.

import { SCORE_TYPES } from '../../../domain/scores/index.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { readForm1Range } from '../shared/index.ts';
import { listMatrixRows, presentMatrix } from './present-matrix.ts';
import { type MatrixQuery, readScoreMatrix, type ScoreMatrix } from './read-matrix.ts';
import { explanation } from './schemas.ts';

const MAX_DAYS = 90;
const date = (description: string) => Type.String({ format: 'date', description });
const column = (description: string) => Type.Array(nullable(Type.Number()), { description });

const matrixReply = Type.Object({
  dates: Type.Array(Type.String({ format: 'date' })),
  scores: Type.Array(
    Type.Object({
      type: oneOfWords(SCORE_TYPES),
      bands: Type.Array(Type.Object({ from: Type.Number(), name: Type.String() })),
      values: column('one per date; null where the day has no score'),
      neutral: column('where each sum of factors begins'),
      coverage: column('percentage of the weight that had an input; null for strain'),
      factors: Type.Array(Type.Object({ name: Type.String(), contributions: column('points, one per date') })),
      explained: explanation,
    }),
    { description: 'every score type, in the order of the API' },
  ),
});

export const scoreMatrixRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/users/:user_id/scores/matrix',
    operationId: 'readScoreMatrix',
    tag: 'Users',
    summary: 'Read the points of every factor day by day, and the explanation of the last day',
    description: `Up to ${MAX_DAYS} days per request.`,
    access: { to: 'member', role: 'viewer' },
    healthDataOf: 'path_user',
    query: requestObject({
      start_date: date("first day, in the user's time zone"),
      end_date: date('last day, included; the scores of this day are explained'),
    }),
    replies: { 200: matrixReply },
    parse: ({ params, query }): MatrixQuery => ({
      userId: params.user_id,
      range: readForm1Range(query, MAX_DAYS),
    }),
    present: (matrix: ScoreMatrix) => ({ status: 200, body: presentMatrix(matrix) }),
    cost: 'large_read',
    csv: listMatrixRows,
    errors: ['not_found', 'range_too_long'],
    handle: readScoreMatrix,
  }),
];
